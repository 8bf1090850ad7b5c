import type { ConfigPreview } from "../../../contract.ts";
import { LevelBadge } from "../../components/badges.tsx";
import { ChangeList } from "../../components/change-list.tsx";
import { Note } from "../../components/notes.tsx";
import { SessionName } from "../../components/session-name.tsx";
import { When } from "../../components/time.tsx";
import { detectionWords } from "../../i18n/detections.ts";
import { placed } from "../../i18n/faults.ts";
import { count } from "../../i18n/format.ts";
import { say } from "../../i18n/words.ts";

/** What a change of the rules does: the settings it writes, and which recorded texts come out differently. */
export function PreviewBox({ preview }: { preview: ConfigPreview | "working" | undefined }) {
  const text = say(detectionWords);
  return (
    <section class="preview" aria-live="polite" aria-label={text.preview}>
      <h3>{text.preview}</h3>
      {preview === undefined ? (
        <p class="small muted">{text.nothingChosen}</p>
      ) : preview === "working" ? (
        <p class="small muted">{text.previewing}</p>
      ) : (
        <Shown preview={preview} />
      )}
    </section>
  );
}

function Shown({ preview }: { preview: ConfigPreview }) {
  const text = say(detectionWords);
  const { effect } = preview;
  if (!preview.ok) {
    return (
      <Note tone="bad">
        {preview.faults.map((fault) => (
          <span key={fault.path}>{placed(fault.message, fault.path, fault.line)}</span>
        ))}
      </Note>
    );
  }
  return (
    <>
      <ChangeList changes={preview.changes} />
      {effect !== null && (
        <p class="small">
          {effect.changed === 0 ? text.noEffect : text.effect(count(effect.changed), count(effect.checked))}
        </p>
      )}
      {effect !== null && effect.samples.length > 0 && (
        <ul class="stack small">
          {effect.samples.map((sample) => (
            <li key={sample.detection} class="row">
              <When at={sample.at} />
              <LevelBadge level={sample.before} short />
              <span aria-hidden="true">→</span>
              <span class="visually-hidden">{text.from(sample.before, sample.after)}</span>
              <LevelBadge level={sample.after} short />
              {sample.session !== null && (
                <span class="muted wrap-any">
                  <SessionName name={sample.session} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
