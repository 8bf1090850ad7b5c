/** What a part of the page shows when there is nothing, not yet something, or something went wrong. */
import type { ComponentChildren } from "preact";
import { commonWords } from "../i18n/common.ts";
import { faultText } from "../i18n/faults.ts";
import { say } from "../i18n/words.ts";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

const NOTE_ICONS = { bad: "warning", warn: "warning", good: "check", info: "info" } as const satisfies Record<
  string,
  IconName
>;

export function Note({
  tone = "info",
  children,
}: {
  tone?: keyof typeof NOTE_ICONS;
  children: ComponentChildren;
}) {
  return (
    <div class={`note-box ${tone}`}>
      <Icon name={NOTE_ICONS[tone]} size={18} />
      <div class="body">{children}</div>
    </div>
  );
}

/** A request that failed: what happened and a way on. */
export function FaultNote({ fault, onRetry }: { fault: unknown; onRetry?: () => void }) {
  return (
    <div role="alert">
      <Note tone="bad">
        <span>{faultText(fault)}</span>
        {onRetry !== undefined && (
          <div class="row">
            <Button small onClick={onRetry}>
              {say(commonWords).retry}
            </Button>
          </div>
        )}
      </Note>
    </div>
  );
}

export function Skeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div class="skeleton" aria-busy="true">
      <span class="visually-hidden">{say(commonWords).loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <i key={line} aria-hidden="true" />
      ))}
    </div>
  );
}
