import type { Detection } from "../../../contract.ts";
import { LevelBadge } from "../../components/badges.tsx";
import { DetectionFacts } from "../../components/detection-facts.tsx";
import { Icon } from "../../components/icon.tsx";
import { Said } from "../../components/said.tsx";
import { commonWords } from "../../i18n/common.ts";
import { clock, duration } from "../../i18n/format.ts";
import { reasonText } from "../../i18n/reasons.ts";
import { say } from "../../i18n/words.ts";
import { hashOf } from "../../state/location.ts";

const ICONS = {
  onUserMessage: "user",
  onToolCallProposed: "tool",
  onToolCallExecuted: "tool",
  outbound: "cloud",
} as const;

export function DetectionStep({ detection }: { detection: Detection }) {
  const common = say(commonWords);
  return (
    <li class={`step ${detection.level}`}>
      <div class="step-head">
        <span class="step-icon">
          <Icon name={ICONS[detection.checkpoint]} size={15} />
        </span>
        <strong>{common.checkpoints[detection.checkpoint]}</strong>
        {detection.tool !== null && <code class="wrap-any">{detection.tool}</code>}
        {detection.level !== "S1" && <LevelBadge level={detection.level} short />}
        <a class="small muted wrap-any step-reason" href={hashOf("detections", { id: String(detection.id) })}>
          {reasonText(detection.reason)}
        </a>
        <span class="small muted step-time">
          {clock(detection.at)} · {duration(detection.ms)}
        </span>
      </div>
      <Said detection={detection} />
      <details class="small">
        <summary>{common.opensMore}</summary>
        <DetectionFacts detection={detection} />
      </details>
    </li>
  );
}
