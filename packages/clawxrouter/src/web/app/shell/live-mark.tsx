import { commonWords } from "../i18n/common.ts";
import { say } from "../i18n/words.ts";
import { liveState } from "../state/live.ts";

export function LiveMark() {
  const text = say(commonWords);
  const state = liveState.value;
  return (
    <span class={`live ${state}`} role="status" title={text.liveHelp[state]}>
      <i aria-hidden="true" />
      <span>{text.live[state]}</span>
    </span>
  );
}
