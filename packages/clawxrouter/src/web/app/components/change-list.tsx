import type { Change } from "../../contract.ts";
import { commonWords } from "../i18n/common.ts";
import { say } from "../i18n/words.ts";
import { isGuarding } from "../state/guarding.ts";
import { Tag } from "./badges.tsx";

/** Settings before and after, as lines taken away and lines added. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  return (
    <ul class="changes">
      {changes.map((change) => (
        <li key={change.path}>
          <div class="row">
            <code class="small wrap-any">{change.path}</code>
            {isGuarding(change.path) && (
              <Tag tone="warn" icon="warning">
                {say(commonWords).guarding}
              </Tag>
            )}
          </div>
          <div class="diff">
            {change.before !== null && <div class="minus">- {change.before}</div>}
            {change.after !== null && <div class="plus">+ {change.after}</div>}
          </div>
        </li>
      ))}
    </ul>
  );
}
