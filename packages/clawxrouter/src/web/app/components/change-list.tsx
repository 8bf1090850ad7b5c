import type { Change } from "../../contract.ts";

/** Settings before and after, as lines taken away and lines added. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  return (
    <ul class="changes">
      {changes.map((change) => (
        <li key={change.path}>
          <code class="small wrap-any">{change.path}</code>
          <div class="diff">
            {change.before !== null && <div class="minus">- {change.before}</div>}
            {change.after !== null && <div class="plus">+ {change.after}</div>}
          </div>
        </li>
      ))}
    </ul>
  );
}
