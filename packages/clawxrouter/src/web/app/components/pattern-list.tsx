/** Regexes of the user, each checked by the gateway's own engine while it is typed. */
import { useId, useState } from "preact/hooks";
import { commonWords } from "../i18n/common.ts";
import { ruleWords } from "../i18n/rules.ts";
import { say } from "../i18n/words.ts";
import type { Checks } from "../state/pattern-checks.ts";
import { Button } from "./button.tsx";
import { PatternState } from "./pattern-state.tsx";

interface Props {
  label: string;
  items: readonly string[];
  checks: Checks;
  /** Whether there is a sample that hits are counted in. */
  sampled: boolean;
  onChange: (items: string[]) => void;
}

export function PatternList({ label, items, checks, sampled, onChange }: Props) {
  const text = say(ruleWords);
  const common = say(commonWords);
  const id = useId();
  const [typed, setTyped] = useState("");
  const add = () => {
    if (typed.trim() === "" || items.includes(typed)) return;
    onChange([...items, typed]);
    setTyped("");
  };
  return (
    <fieldset class="field">
      <legend class="legend">{label}</legend>
      {items.length === 0 && <span class="help">{text.noPatterns}</span>}
      <ul class="patterns">
        {items.map((item, at) => (
          <li key={at}>
            <div class="adder">
              <input
                class="input mono"
                aria-label={`${label}: ${text.editPattern(at + 1)}`}
                aria-describedby={`${id}-${at}`}
                aria-invalid={checks.get(item)?.ok === false ? "true" : undefined}
                value={item}
                spellcheck={false}
                autocomplete="off"
                onInput={(event) =>
                  onChange(items.map((other, index) => (index === at ? event.currentTarget.value : other)))
                }
              />
              <Button
                kind="quiet"
                icon="cross"
                label={common.removeItem(item)}
                onClick={() => onChange(items.filter((_, index) => index !== at))}
              />
            </div>
            <PatternState id={`${id}-${at}`} pattern={item} check={checks.get(item)} sampled={sampled} />
          </li>
        ))}
      </ul>
      <div class="adder">
        <input
          class="input mono"
          aria-label={`${label}: ${text.newPattern}`}
          placeholder={text.patternHint}
          value={typed}
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.isComposing) return;
            event.preventDefault();
            add();
          }}
        />
        <Button icon="plus" label={`${common.add}: ${label}`} disabled={typed.trim() === ""} onClick={add}>
          {common.add}
        </Button>
      </div>
    </fieldset>
  );
}
