/** The plain controls, each with its label. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Field } from "./field.tsx";

interface Common {
  label: string;
  help?: ComponentChildren;
  fault?: string | undefined;
  quiet?: boolean;
  disabled?: boolean;
}

interface TextProps extends Common {
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  mono?: boolean;
  type?: "text" | "search" | "password";
  autocomplete?: "off" | "current-password";
}

export function TextInput({
  value,
  onChange,
  placeholder,
  mono,
  type = "text",
  autocomplete = "off",
  disabled,
  ...field
}: TextProps) {
  return (
    <Field {...field}>
      {(control) => {
        const attributes = {
          ...control,
          class: `input ${mono ? "mono" : ""}`,
          value,
          placeholder,
          autocomplete,
          spellcheck: false,
          disabled,
          onInput: (event: Event & { currentTarget: HTMLInputElement }) =>
            onChange(event.currentTarget.value),
        };
        if (type === "password") return <input {...attributes} type="password" />;
        return type === "search" ? (
          <input {...attributes} type="search" />
        ) : (
          <input {...attributes} type="text" />
        );
      }}
    </Field>
  );
}

interface AreaProps extends Common {
  value: string;
  onChange: (value: string) => void;
  rows?: number;
  mono?: boolean;
  placeholder?: string;
  maxLength?: number;
}

export function TextArea({
  value,
  onChange,
  rows = 4,
  mono,
  placeholder,
  maxLength,
  disabled,
  ...field
}: AreaProps) {
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          {...control}
          class={`input ${mono ? "mono" : ""}`}
          rows={rows}
          value={value}
          placeholder={placeholder}
          maxLength={maxLength}
          spellcheck={false}
          disabled={disabled}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface NumberProps extends Common {
  /** Undefined: empty. */
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  min?: number;
  max?: number;
  step?: number | "any";
  unit?: string;
  placeholder?: string;
}

/** Keeps what is typed while it is typed: `0.` and an empty field are on the way to a number. */
export function NumberInput({
  value,
  onChange,
  min,
  max,
  step = "any",
  unit,
  placeholder,
  disabled,
  ...field
}: NumberProps) {
  const shown = value === undefined ? "" : String(value);
  const [typed, setTyped] = useState(shown);
  useEffect(() => {
    if (parse(typed) !== value) setTyped(shown);
  }, [shown]);
  return (
    <Field {...field}>
      {(control) => (
        <div class="with-unit">
          <input
            {...control}
            class="input"
            type="number"
            inputMode="decimal"
            min={min}
            max={max}
            step={step}
            value={typed}
            placeholder={placeholder}
            disabled={disabled}
            onInput={(event) => {
              setTyped(event.currentTarget.value);
              onChange(parse(event.currentTarget.value));
            }}
          />
          {unit !== undefined && <span class="unit">{unit}</span>}
        </div>
      )}
    </Field>
  );
}

function parse(typed: string): number | undefined {
  const number = Number(typed);
  return typed.trim() === "" || !Number.isFinite(number) ? undefined : number;
}

interface SelectProps<T extends string> extends Common {
  value: T;
  options: readonly { value: T; text: string }[];
  onChange: (value: T) => void;
}

export function Select<T extends string>({ value, options, onChange, disabled, ...field }: SelectProps<T>) {
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          class="input"
          value={value}
          disabled={disabled}
          onChange={(event) => {
            const chosen = options.find((option) => option.value === event.currentTarget.value);
            if (chosen !== undefined) onChange(chosen.value);
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
