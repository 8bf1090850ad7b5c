import { Icon } from "./icon.tsx";

/** A chip that is on or off; a tick says so beside the colour. */
export function Toggle({
  text,
  on,
  disabled,
  onChange,
}: {
  text: string;
  on: boolean;
  disabled?: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <button type="button" class="toggle" aria-pressed={on} disabled={disabled} onClick={() => onChange(!on)}>
      <Icon name={on ? "check" : "plus"} size={14} />
      {text}
    </button>
  );
}
