import { useState } from "preact/hooks";
import { PRIVATE_LEVELS } from "../../api/names.ts";
import { Button } from "../../components/button.tsx";
import { ChipList } from "../../components/chip-list.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { NumberInput, TextArea } from "../../components/inputs.tsx";
import { ModelSelect } from "../../components/model-select.tsx";
import { Note } from "../../components/notes.tsx";
import { SaveBar } from "../../components/save-bar.tsx";
import { Switch } from "../../components/switch.tsx";
import { VerdictPanel } from "../../components/verdict-panel.tsx";
import { commonWords } from "../../i18n/common.ts";
import { ruleWords } from "../../i18n/rules.ts";
import { say } from "../../i18n/words.ts";
import { useDraft } from "../../state/draft.ts";
import { anyRefused, usePatternChecks } from "../../state/pattern-checks.ts";
import { PatternFields } from "./pattern-fields.tsx";
import type { RouterEntry } from "./router.ts";

export function RouterEditor({ id, openAtFirst }: { id: string; openAtFirst: boolean }) {
  const text = say(ruleWords);
  const common = say(commonWords);
  const draft = useDraft(`router:${id}`);
  const [sample, setSample] = useState("");
  const [asking, setAsking] = useState(false);
  const entry = draft.settings?.privacy.routers[id];
  const patterns = entry === undefined ? [] : PRIVATE_LEVELS.flatMap((level) => entry.patterns[level]);
  const checks = usePatternChecks(patterns, sample);
  if (entry === undefined) return null;
  const edit = (change: (router: RouterEntry) => void) =>
    draft.edit((copy) => {
      const router = copy.privacy.routers[id];
      if (router !== undefined) change(router);
    });
  const remove = async () => {
    draft.discard();
    draft.edit((copy) => {
      delete copy.privacy.routers[id];
      const { pipeline } = copy.privacy;
      for (const stage of ["onUserMessage", "onToolCallProposed", "onToolCallExecuted"] as const)
        pipeline[stage] = pipeline[stage].filter((other) => other !== id);
    });
    setAsking(false);
    await draft.save();
  };
  return (
    <details class="router" open={openAtFirst}>
      <summary>
        <span class="wrap-any">{id}</span>{" "}
        <span class="small muted">
          {entry.type === "custom" ? `${text.codeRouter} · ` : ""}
          {entry.enabled ? text.weightOf(entry.weight) : text.switchedOff}
        </span>
      </summary>
      <div class="stack wide folded">
        <div class="fields">
          <Switch
            label={text.enabled}
            on={entry.enabled}
            onChange={(on) =>
              edit((router) => {
                router.enabled = on;
              })
            }
          />
          <NumberInput
            label={text.weight}
            help={text.weightHelp}
            min={0}
            max={100}
            value={entry.weight}
            onChange={(weight) =>
              edit((router) => {
                if (weight !== undefined) router.weight = weight;
              })
            }
          />
          <ModelSelect
            label={text.targetModel}
            help={text.targetHelp}
            none={text.targetNone}
            value={entry.target}
            onChange={(target) =>
              edit((router) => {
                if (target === undefined) delete router.target;
                else router.target = target;
              })
            }
          />
        </div>
        {entry.type === "custom" ? (
          <Note>{text.codeHelp(entry.module ?? "")}</Note>
        ) : (
          <>
            <div class="two">
              {PRIVATE_LEVELS.map((level) => (
                <ChipList
                  key={level}
                  label={level === "S2" ? text.keywordsS2 : text.keywordsS3}
                  tone={level}
                  items={entry.keywords[level]}
                  placeholder={text.keywordHint}
                  none={text.noKeywords}
                  onChange={(items) =>
                    edit((router) => {
                      router.keywords[level] = items;
                    })
                  }
                />
              ))}
            </div>
            <PatternFields
              patterns={entry.patterns}
              checks={checks}
              sample={sample}
              onSample={setSample}
              onChange={(level, items) =>
                edit((router) => {
                  router.patterns[level] = items;
                })
              }
            />
            <TextArea
              label={`${text.prompt} (${common.optional})`}
              help={text.promptHelp}
              mono
              rows={4}
              maxLength={20_000}
              value={entry.prompt ?? ""}
              onChange={(prompt) =>
                edit((router) => {
                  if (prompt === "") delete router.prompt;
                  else router.prompt = prompt;
                })
              }
            />
          </>
        )}
        <SaveBar
          draft={draft}
          text={text.saveRouter}
          blocked={anyRefused(patterns, checks) ? text.mendPatterns : undefined}
        >
          <span class="push">
            <Button kind="danger" onClick={() => setAsking(true)}>
              {text.deleteRouter}
            </Button>
          </span>
        </SaveBar>
        <details>
          <summary>{text.testRouterTitle}</summary>
          <div class="folded">
            <VerdictPanel router={id} />
          </div>
        </details>
      </div>
      {asking && (
        <Dialog
          title={text.deleteTitle(id)}
          onClose={() => setAsking(false)}
          foot={
            <>
              <Button onClick={() => setAsking(false)}>{common.cancel}</Button>
              <Button kind="danger" onClick={() => void remove()}>
                {text.deleteRouter}
              </Button>
            </>
          }
        >
          <p>{text.deleteHelp}</p>
        </Dialog>
      )}
    </details>
  );
}
