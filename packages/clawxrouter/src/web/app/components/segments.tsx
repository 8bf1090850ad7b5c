import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Props<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; text: string; show?: ComponentChildren }[];
  onChange: (value: T) => void;
}

/** One of a few, as radio buttons: arrow keys move, a screen reader counts them. */
export function Segments<T extends string>({ label, value, options, onChange }: Props<T>) {
  const name = useId();
  return (
    <fieldset class="segments">
      <legend class="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} title={option.show === undefined ? undefined : option.text}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            aria-label={option.show === undefined ? undefined : option.text}
            onChange={() => onChange(option.value)}
          />
          {option.show ?? option.text}
        </label>
      ))}
    </fieldset>
  );
}
