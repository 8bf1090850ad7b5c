import type { DiffLine } from "../state/line-diff.ts";

const CLASSES = { " ": "", "-": "minus", "+": "plus" } as const;

export function DiffView({ lines, label }: { lines: readonly DiffLine[]; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
    <section class="diff" aria-label={label} tabIndex={0}>
      {lines.map((line, at) => (
        <div key={`${at}-${line.op}`} class={CLASSES[line.op]}>
          {line.op} {line.text}
        </div>
      ))}
    </section>
  );
}
