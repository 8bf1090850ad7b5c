import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { TextArea } from "../../components/inputs.tsx";
import { configWords } from "../../i18n/config.ts";
import { say } from "../../i18n/words.ts";
import { equal, type Json } from "../../state/edits.ts";

interface Props {
  label: string;
  help: ComponentChildren;
  value: Json;
  onChange: (value: Json) => void;
  onFault: (bad: boolean) => void;
}

/** A part of the settings whose keys are the user's own, as JSON. What is half typed stays here until it is whole. */
export function JsonField({ label, help, value, onChange, onFault }: Props) {
  const [typed, setTyped] = useState(() => textOf(value));
  const parsed = parse(typed);
  useEffect(() => {
    if (parsed !== undefined && !equal(parsed.value, value)) setTyped(textOf(value));
  }, [JSON.stringify(value)]);
  // What is out of sight must not keep the rest from being saved.
  useEffect(() => () => onFault(false), []);
  return (
    <TextArea
      label={label}
      help={help}
      mono
      rows={Math.min(16, Math.max(3, typed.split("\n").length))}
      value={typed}
      fault={parsed === undefined ? say(configWords).badJson : undefined}
      onChange={(next) => {
        setTyped(next);
        const read = parse(next);
        onFault(read === undefined);
        if (read !== undefined) onChange(read.value);
      }}
    />
  );
}

function textOf(value: Json): string {
  return JSON.stringify(value ?? {}, null, 2);
}

function parse(text: string): { value: Json } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
