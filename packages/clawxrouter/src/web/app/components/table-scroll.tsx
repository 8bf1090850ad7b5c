import type { ComponentChildren } from "preact";
import { commonWords } from "../i18n/common.ts";
import { say } from "../i18n/words.ts";

/** A table that may be wider than the screen scrolls by itself, by keyboard too. */
export function TableScroll({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
    <section class="table-scroll" tabIndex={0} aria-label={say(commonWords).tableOf(label)}>
      {children}
    </section>
  );
}
