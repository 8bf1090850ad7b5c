import { Card } from "../../components/card.tsx";
import { NumberInput } from "../../components/inputs.tsx";
import { Note } from "../../components/notes.tsx";
import { Segments } from "../../components/segments.tsx";
import { Switch } from "../../components/switch.tsx";
import { costWords } from "../../i18n/cost.ts";
import { say } from "../../i18n/words.ts";
import type { Draft } from "../../state/draft.ts";

const JUDGES = ["auto", "embedded", "local-llm"] as const;

export function JudgeCard({ draft }: { draft: Draft }) {
  const text = say(costWords);
  const cost = draft.settings?.tokenSaver;
  if (cost === undefined) return null;
  return (
    <Card title={text.routing} help={text.routingHelp}>
      <div class="stack wide">
        <Switch
          label={text.on}
          on={cost.enabled}
          onChange={(on) =>
            draft.edit((copy) => {
              copy.tokenSaver.enabled = on;
            })
          }
        />
        {!cost.enabled && <Note tone="warn">{text.off}</Note>}
        <div class="field">
          <span class="label">{text.judge}</span>
          <Segments
            label={text.judge}
            value={cost.judge}
            options={JUDGES.map((value) => ({ value, text: text.judges[value] }))}
            onChange={(judge) =>
              draft.edit((copy) => {
                copy.tokenSaver.judge = judge;
              })
            }
          />
          <span class="help" aria-live="polite">
            {text.judgeHelp[cost.judge]}
          </span>
        </div>
        <details class="disclosure">
          <summary>{text.fine}</summary>
          <div class="fields folded">
            <NumberInput
              label={text.minConfidence}
              help={text.minConfidenceHelp}
              min={0}
              max={1}
              step={0.05}
              value={cost.minConfidence}
              onChange={(value) =>
                draft.edit((copy) => {
                  if (value !== undefined) copy.tokenSaver.minConfidence = value;
                })
              }
            />
            <NumberInput
              label={text.cacheTtl}
              unit={text.seconds}
              min={0}
              max={86_400}
              value={cost.cacheTtlMs / 1000}
              onChange={(value) =>
                draft.edit((copy) => {
                  if (value !== undefined) copy.tokenSaver.cacheTtlMs = Math.round(value * 1000);
                })
              }
            />
            <Switch
              label={text.stickiness}
              help={text.stickinessHelp}
              on={cost.stickiness}
              onChange={(on) =>
                draft.edit((copy) => {
                  copy.tokenSaver.stickiness = on;
                })
              }
            />
            <Switch
              label={text.exempt}
              on={cost.exemptSubagents}
              onChange={(on) =>
                draft.edit((copy) => {
                  copy.tokenSaver.exemptSubagents = on;
                })
              }
            />
          </div>
        </details>
      </div>
    </Card>
  );
}
