/** Parts of a whole: one bar and, under it, each part with its number and share. The list is what a screen reader reads. */
import type { ComponentChildren } from "preact";
import { count, percent } from "../i18n/format.ts";

export interface Part {
  key: string;
  tone: string;
  name: ComponentChildren;
  value: number;
  /** Where a click on it leads. */
  href?: string;
}

export function ShareBar({ parts }: { parts: readonly Part[] }) {
  const sum = parts.reduce((total, part) => total + part.value, 0);
  let start = 0;
  return (
    <div class="share">
      <svg class="share-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="share-empty" width="100" height="6" />
        {parts.map((part) => {
          const width = sum === 0 ? 0 : (part.value / sum) * 100;
          const x = start;
          start += width;
          return width === 0 ? null : (
            <rect
              key={part.key}
              class={`fill ${part.tone}`}
              x={x}
              width={Math.max(0.4, width - 0.25)}
              height="6"
            />
          );
        })}
      </svg>
      <dl class="share-list">
        {parts.map((part) => (
          <div key={part.key}>
            <dt>{part.href === undefined ? part.name : <a href={part.href}>{part.name}</a>}</dt>
            <dd>
              <strong>{count(part.value)}</strong>{" "}
              <span class="muted small">{sum === 0 ? "" : percent(part.value / sum)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
