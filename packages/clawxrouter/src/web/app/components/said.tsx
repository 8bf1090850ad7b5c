/** What was said with its private parts hidden, beside what the cloud got of it. The user may reveal the original. */

import { useEffect, useState } from "preact/hooks";
import type { Detection, Segment } from "../../contract.ts";
import { post } from "../api/client.ts";
import { eventWords } from "../i18n/events.ts";
import { say } from "../i18n/words.ts";
import { session } from "../state/session.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { FaultNote } from "./notes.tsx";
import { Quote } from "./quote.tsx";

/** An original does not stay on an unattended screen. */
const SHOWN_MS = 60_000;

export function Said({ detection }: { detection: Detection }) {
  const text = say(eventWords);
  const [original, setOriginal] = useState<string | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(undefined);
  useEffect(() => {
    if (original === undefined) return;
    const timer = setTimeout(() => setOriginal(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [original]);
  const reveal = async () => {
    setBusy(true);
    setFault(undefined);
    await post("reveal", { detection: detection.id }).then((answer) => setOriginal(answer.text), setFault);
    setBusy(false);
  };
  const canReveal = detection.revealable && session.value?.local === true;
  return (
    <div class="stack">
      <div class="beside">
        <figure>
          <figcaption>
            <Icon name="user" size={14} /> {original === undefined ? text.said : text.revealed}
            {canReveal && (
              <Button
                small
                kind="quiet"
                icon={original === undefined ? "eye" : "eyeOff"}
                busy={busy}
                onClick={() => (original === undefined ? void reveal() : setOriginal(undefined))}
              >
                {original === undefined ? text.reveal : text.hide}
              </Button>
            )}
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
      {detection.revealable && session.value?.local === false && (
        <span class="small muted">{text.revealRemote}</span>
      )}
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
          <Hidden key={`${at}-${segment.token}`} type={segment.type} level={segment.level} />
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

function Hidden({ type, level }: { type: string; level: "S2" | "S3" }) {
  const text = say(eventWords);
  const name = type === "TEXT" ? text.wholePrivate : type;
  return (
    <span class={`hidden-part ${level}`}>
      <Icon name="lock" size={12} />
      <span class="visually-hidden">{text.hidden(name)}</span>
      <span aria-hidden="true">{name}</span>
    </span>
  );
}
