import { CHECKPOINT_ORDER, DETECTORS } from "../../api/names.ts";
import { Note } from "../../components/notes.tsx";
import { Toggle } from "../../components/toggle.tsx";
import { commonWords } from "../../i18n/common.ts";
import { ruleWords } from "../../i18n/rules.ts";
import { say } from "../../i18n/words.ts";
import type { Draft } from "../../state/draft.ts";
import { hashOf } from "../../state/location.ts";

/** Which detector runs at which checkpoint. */
export function DetectorGrid({ draft }: { draft: Draft }) {
  const text = say(ruleWords);
  const common = say(commonWords);
  const privacy = draft.settings?.privacy;
  if (privacy === undefined) return null;
  return (
    <fieldset class="stack">
      <legend class="legend">{text.whenTitle}</legend>
      <span class="help">{text.whenHelp}</span>
      <ul class="detectors">
        {CHECKPOINT_ORDER.map((checkpoint) => (
          <li key={checkpoint}>
            <span>{common.checkpoints[checkpoint]}</span>
            <fieldset class="row">
              <legend class="visually-hidden">{common.checkpoints[checkpoint]}</legend>
              {DETECTORS.map((detector) => (
                <Toggle
                  key={detector}
                  text={common.detectors[detector]}
                  on={privacy.checkpoints[checkpoint].includes(detector)}
                  onChange={(on) =>
                    draft.edit((copy) => {
                      const others = copy.privacy.checkpoints[checkpoint].filter(
                        (other) => other !== detector,
                      );
                      const wanted = on ? [...others, detector] : others;
                      copy.privacy.checkpoints[checkpoint] = DETECTORS.filter((name) =>
                        wanted.includes(name),
                      );
                    })
                  }
                />
              ))}
            </fieldset>
          </li>
        ))}
      </ul>
      {!privacy.localModel.enabled && (
        <Note>
          <span>
            {text.modelOff} <a href={hashOf("config", { at: "/privacy/localModel" })}>{text.modelSettings}</a>
          </span>
        </Note>
      )}
    </fieldset>
  );
}
