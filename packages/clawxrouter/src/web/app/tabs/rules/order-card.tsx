/** In which order routers are asked at each stage. */
import { Card } from "../../components/card.tsx";
import { Icon } from "../../components/icon.tsx";
import { SaveBar } from "../../components/save-bar.tsx";
import { Sortable } from "../../components/sortable.tsx";
import { commonWords } from "../../i18n/common.ts";
import { ruleWords } from "../../i18n/rules.ts";
import { say } from "../../i18n/words.ts";
import { useDraft } from "../../state/draft.ts";
import type { Settings } from "../../state/settings.ts";

const STAGES = ["onUserMessage", "onToolCallProposed", "onToolCallExecuted"] as const;
const PRIVACY = "privacy";

export function OrderCard() {
  const text = say(ruleWords);
  const common = say(commonWords);
  const draft = useDraft("execution-order");
  const privacy = draft.settings?.privacy;
  if (privacy === undefined) return null;
  const put = (stage: (typeof STAGES)[number], items: string[]) =>
    draft.edit((copy) => {
      copy.privacy.pipeline[stage] = items;
    });
  return (
    <Card title={text.orderTitle} help={text.orderHelp}>
      <div class="stages">
        {STAGES.map((stage) => {
          // The privacy router runs first whatever the list says, so it is shown first.
          const rest = privacy.pipeline[stage].filter((id) => id !== PRIVACY);
          const missing = Object.keys(privacy.routers).filter((id) => id !== PRIVACY && !rest.includes(id));
          return (
            <section key={stage} class="stage" aria-label={common.checkpoints[stage]}>
              <h3>{common.checkpoints[stage]}</h3>
              <Sortable
                label={common.checkpoints[stage]}
                items={[PRIVACY, ...rest]}
                pinned={1}
                removable={() => true}
                detail={(id) => <Detail id={id} privacy={privacy} />}
                onChange={(items) => put(stage, items)}
              />
              {missing.length === 0 ? (
                <span class="help">{text.allAdded}</span>
              ) : (
                <fieldset class="row">
                  <legend class="visually-hidden">{text.addRouter}</legend>
                  {missing.map((id) => (
                    <button
                      key={id}
                      type="button"
                      class="toggle"
                      aria-label={text.addToStage(id)}
                      onClick={() => put(stage, [PRIVACY, ...rest, id])}
                    >
                      <Icon name="plus" size={14} />
                      <span class="wrap-any">{id}</span>
                    </button>
                  ))}
                </fieldset>
              )}
            </section>
          );
        })}
      </div>
      <SaveBar draft={draft} text={text.saveOrder} />
    </Card>
  );
}

function Detail({ id, privacy }: { id: string; privacy: Settings["privacy"] }) {
  const text = say(ruleWords);
  if (id === PRIVACY) return <span class="small muted">{text.alwaysFirst}</span>;
  const entry = privacy.routers[id];
  return (
    <span class="small muted">
      {entry === undefined
        ? say(commonWords).unknown
        : entry.enabled
          ? text.weightOf(entry.weight)
          : text.switchedOff}
    </span>
  );
}
