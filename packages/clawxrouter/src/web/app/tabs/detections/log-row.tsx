import { useState } from "preact/hooks";
import type { Detection } from "../../../contract.ts";
import { LevelBadge, RouteBadge, Tag } from "../../components/badges.tsx";
import { Button } from "../../components/button.tsx";
import { DetectionFacts } from "../../components/detection-facts.tsx";
import { Icon } from "../../components/icon.tsx";
import { Said, Segments } from "../../components/said.tsx";
import { When } from "../../components/time.tsx";
import { commonWords } from "../../i18n/common.ts";
import { detectionWords } from "../../i18n/detections.ts";
import { reasonText } from "../../i18n/reasons.ts";
import { say } from "../../i18n/words.ts";
import { hashOf } from "../../state/location.ts";
import { WrongDialog } from "./wrong-dialog.tsx";

interface Props {
  detection: Detection;
  open: boolean;
  onCorrected: (detection: Detection) => void;
}

export function LogRow({ detection, open: openAtFirst, onCorrected }: Props) {
  const text = say(detectionWords);
  const common = say(commonWords);
  const [open, setOpen] = useState(openAtFirst);
  const [wrong, setWrong] = useState(false);
  return (
    <li>
      <button type="button" class="log-row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="small muted date">
          <When at={detection.at} />
        </span>
        <LevelBadge level={detection.level} />
        <span class="what">
          <span class="line">
            {detection.said === null ? reasonText(detection.reason) : <Segments segments={detection.said} />}
          </span>
          <span class="line small muted">
            {common.checkpoints[detection.checkpoint]}
            {detection.tool !== null && ` · ${detection.tool}`} · {reasonText(detection.reason)}
          </span>
        </span>
        <span class="row">
          {detection.feedback !== null && <Tag icon="check">{text.corrected}</Tag>}
          <RouteBadge route={detection.route} />
        </span>
        <span class="chevron" aria-hidden="true">
          <Icon name="right" size={16} />
        </span>
      </button>
      {open && (
        <div class="log-more">
          <Said detection={detection} />
          <DetectionFacts detection={detection} />
          <div class="row">
            <Button small onClick={() => setWrong(true)}>
              {text.wrong}
            </Button>
            {detection.session !== null && (
              <a class="small wrap-any" href={hashOf("sessions", { key: detection.session })}>
                {text.openSession}
              </a>
            )}
          </div>
        </div>
      )}
      {wrong && (
        <WrongDialog
          detection={detection}
          onClose={() => setWrong(false)}
          onDone={(feedback) => {
            setWrong(false);
            onCorrected({ ...detection, feedback });
          }}
        />
      )}
    </li>
  );
}
