import { useId } from "preact/hooks";

interface Props {
  label: string;
  help?: string;
  on: boolean;
  disabled?: boolean;
  onChange: (on: boolean) => void;
}

export function Switch({ label, help, on, disabled, onChange }: Props) {
  const id = useId();
  return (
    <div class="field">
      <button
        type="button"
        role="switch"
        class="switch"
        aria-checked={on}
        aria-describedby={help === undefined ? undefined : id}
        disabled={disabled}
        onClick={() => onChange(!on)}
      >
        <span class="track" />
        <span>{label}</span>
      </button>
      {help !== undefined && (
        <span class="help" id={id}>
          {help}
        </span>
      )}
    </div>
  );
}
