/** What was said with its private parts hidden, beside what the cloud got of it. The user may reveal the original. */

import type { Detection, Segment } from "../../contract.ts";
import { eventWords } from "../i18n/events.ts";
import { say } from "../i18n/words.ts";
import { useRevealed } from "../state/revealed.ts";
import { HiddenPart } from "./hidden-part.tsx";
import { Icon } from "./icon.tsx";
import { FaultNote } from "./notes.tsx";
import { Quote } from "./quote.tsx";
import { RevealButton } from "./reveal-button.tsx";

export function Said({ detection }: { detection: Detection }) {
  const text = say(eventWords);
  const revealed = useRevealed({ detection: detection.id });
  const { original, fault } = revealed;
  const canReveal = detection.revealable && revealed.allowed;
  return (
    <div class="stack">
      <div class="beside">
        <figure>
          <figcaption>
            <Icon name="user" size={14} /> {original === undefined ? text.said : text.revealed}
            {canReveal && <RevealButton revealed={revealed} />}
          </figcaption>
          <Quote>
            {original !== undefined ? (
              original
            ) : detection.said === null ? (
              <em class="muted">{text.notKept}</em>
            ) : (
              <Segments segments={detection.said} />
            )}
          </Quote>
        </figure>
        <figure>
          <figcaption>
            <Icon name="cloud" size={14} /> {text.cloudSaw}
          </figcaption>
          <Quote>
            <CloudSide detection={detection} />
          </Quote>
        </figure>
      </div>
      {detection.truncated && <span class="small muted">({text.truncated})</span>}
      {detection.revealable && !revealed.allowed && <span class="small muted">{text.revealRemote}</span>}
      {fault !== undefined && <FaultNote fault={fault} />}
    </div>
  );
}

function CloudSide({ detection }: { detection: Detection }) {
  const text = say(eventWords);
  if (detection.route === "local") return <em class="muted">{text.nothingToCloud}</em>;
  if (detection.route === "blocked") return <em class="muted">{text.blockedCloud}</em>;
  if (detection.cloud === null) return <em class="muted">{text.notKept}</em>;
  return <>{detection.cloud}</>;
}

export function Segments({ segments }: { segments: readonly Segment[] }) {
  return (
    <>
      {segments.map((segment, at) =>
        "token" in segment ? (
          <HiddenPart key={`${at}-${segment.token}`} type={segment.type} level={segment.level} />
        ) : (
          <span key={`${at}-text`}>{withoutLock(segment.text, segments[at + 1])}</span>
        ),
      )}
    </>
  );
}

/** The placeholder of a private text begins with a lock; the hidden part that stands for it has one of its own. */
function withoutLock(text: string, next: Segment | undefined): string {
  return next !== undefined && "token" in next && text.endsWith("🔒") ? text.slice(0, -"🔒".length) : text;
}
