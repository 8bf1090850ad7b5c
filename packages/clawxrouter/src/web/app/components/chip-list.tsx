/** A list of short texts: each a chip that can be taken away, and a field that adds one. */
import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { commonWords } from "../i18n/common.ts";
import { say } from "../i18n/words.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

interface Props {
  label: string;
  items: readonly string[];
  onChange: (items: string[]) => void;
  /** Colour of the chips. */
  tone?: "S2" | "S3";
  mono?: boolean;
  placeholder?: string;
  /** What stands instead of the chips when there are none. */
  none?: string;
  /** Words that may be chosen, offered while typing. */
  suggestions?: readonly string[];
  children?: ComponentChildren;
}

export function ChipList({
  label,
  items,
  onChange,
  tone,
  mono,
  placeholder,
  none,
  suggestions = [],
  children,
}: Props) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const words = say(commonWords);
  const add = () => {
    // Several at once, as pasted from a list.
    const added = typed
      .split(/[\n\r\t]+/)
      .map((item) => item.trim())
      .filter((item) => item !== "");
    const fresh = added.filter((item, at) => !items.includes(item) && added.indexOf(item) === at);
    if (fresh.length > 0) onChange([...items, ...fresh]);
    setTyped("");
    input.current?.focus();
  };
  const remove = (item: string) => {
    onChange(items.filter((other) => other !== item));
    input.current?.focus();
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {items.length > 0 ? (
        <ul class="chips" aria-label={label}>
          {items.map((item) => (
            <li key={item} class={`chip ${tone ?? ""}`}>
              <span class={`chip-text ${mono ? "mono" : ""}`}>{item}</span>
              <button type="button" aria-label={words.removeItem(item)} onClick={() => remove(item)}>
                <Icon name="cross" size={13} />
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <span class="help">{none ?? words.none}</span>
      )}
      <div class="adder">
        <input
          ref={input}
          id={id}
          class={`input ${mono ? "mono" : ""}`}
          value={typed}
          placeholder={placeholder}
          autocomplete="off"
          spellcheck={false}
          list={suggestions.length > 0 ? `${id}-list` : undefined}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.isComposing) return;
            event.preventDefault();
            add();
          }}
        />
        <Button icon="plus" label={`${words.add}: ${label}`} onClick={add} disabled={typed.trim() === ""}>
          {words.add}
        </Button>
      </div>
      {suggestions.length > 0 && (
        <datalist id={`${id}-list`}>
          {suggestions
            .filter((item) => !items.includes(item))
            .map((item) => (
              <option key={item} value={item} />
            ))}
        </datalist>
      )}
      {children}
    </div>
  );
}
