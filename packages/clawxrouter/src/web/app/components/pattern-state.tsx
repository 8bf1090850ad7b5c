import { duration } from "../i18n/format.ts";
import { ruleWords } from "../i18n/rules.ts";
import { say } from "../i18n/words.ts";
import type { PatternCheck } from "../state/pattern-checks.ts";
import { Icon } from "./icon.tsx";

interface Props {
  id: string;
  pattern: string;
  /** Undefined: not answered yet. */
  check: PatternCheck | undefined;
  sampled: boolean;
}

/** Valid or not and where, and what it costs. */
export function PatternState({ id, pattern, check, sampled }: Props) {
  const text = say(ruleWords);
  if (check === undefined) {
    return (
      <span class="pattern-state muted" id={id} aria-live="polite">
        {text.checking}
      </span>
    );
  }
  if (!check.ok) {
    const { position } = check;
    return (
      <span class="pattern-state bad" id={id} aria-live="polite">
        <Icon name="warning" size={14} />
        <span>
          {position === null ? text.patternFaultAnywhere : text.patternFault(String(position + 1))}
          {check.error !== null && `: ${check.error}`}
          {position !== null && (
            <code class="pattern-place">
              {pattern.slice(0, position)}
              <mark>{pattern.slice(position, position + 1) || " "}</mark>
              {pattern.slice(position + 1)}
            </code>
          )}
        </span>
      </span>
    );
  }
  const verdict = check.cost?.verdict ?? "fine";
  const took = duration(check.cost?.msPer100kB ?? 0);
  return (
    <span
      class={`pattern-state ${verdict === "fine" ? "good" : verdict === "slow" ? "warn" : "bad"}`}
      id={id}
      aria-live="polite"
    >
      <Icon name={verdict === "fine" ? "check" : "warning"} size={14} />
      <span>
        {text[verdict](took)}
        {sampled && ` · ${check.hits.length > 0 ? text.hits(check.hits.length) : text.noHits}`}
      </span>
    </span>
  );
}
