import { commonWords } from "../i18n/common.ts";
import { say } from "../i18n/words.ts";
import { dropToast, type Toast, toasts } from "../state/toasts.ts";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

const ICONS: Record<Toast["tone"], IconName> = { good: "check", bad: "warning", info: "info" };

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((entry) => (
        <div key={entry.id} class={`toast ${entry.tone}`}>
          <Icon name={ICONS[entry.tone]} />
          <span class="grow wrap-any">{entry.text}</span>
          <Button
            small
            kind="quiet"
            icon="cross"
            label={say(commonWords).close}
            onClick={() => dropToast(entry.id)}
          />
        </div>
      ))}
    </div>
  );
}
