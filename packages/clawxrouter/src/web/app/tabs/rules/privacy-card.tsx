/** The privacy router: the user's words first, the rest a fold away. */
import { useState } from "preact/hooks";
import { PRIVATE_LEVELS } from "../../api/names.ts";
import { Card } from "../../components/card.tsx";
import { ChipList } from "../../components/chip-list.tsx";
import { Note } from "../../components/notes.tsx";
import { PromptEditor } from "../../components/prompt-editor.tsx";
import { SaveBar } from "../../components/save-bar.tsx";
import { Switch } from "../../components/switch.tsx";
import { VerdictPanel } from "../../components/verdict-panel.tsx";
import { ruleWords } from "../../i18n/rules.ts";
import { say } from "../../i18n/words.ts";
import { useDraft } from "../../state/draft.ts";
import { anyRefused, usePatternChecks } from "../../state/pattern-checks.ts";
import { DetectorGrid } from "./detector-grid.tsx";
import { PatternFields } from "./pattern-fields.tsx";
import { ToolRules } from "./tool-rules.tsx";

export function PrivacyCard() {
  const text = say(ruleWords);
  const draft = useDraft("privacy-router");
  const [sample, setSample] = useState("");
  const privacy = draft.settings?.privacy;
  const patterns =
    privacy === undefined ? [] : PRIVATE_LEVELS.flatMap((level) => privacy.rules.patterns[level]);
  const checks = usePatternChecks(patterns, sample);
  if (privacy === undefined) return null;
  const { rules } = privacy;
  return (
    <Card title={text.privacyTitle} help={text.privacyHelp}>
      <div class="stack wide">
        <Switch
          label={text.privacyOn}
          on={privacy.enabled}
          onChange={(on) =>
            draft.edit((copy) => {
              copy.privacy.enabled = on;
            })
          }
        />
        {!privacy.enabled && <Note tone="bad">{text.privacyOff}</Note>}
        <div class="two">
          {PRIVATE_LEVELS.map((level) => (
            <ChipList
              key={level}
              label={level === "S2" ? text.keywordsS2 : text.keywordsS3}
              tone={level}
              items={rules.keywords[level]}
              placeholder={text.keywordHint}
              none={text.noKeywords}
              onChange={(items) =>
                draft.edit((copy) => {
                  copy.privacy.rules.keywords[level] = items;
                })
              }
            />
          ))}
        </div>
        <Switch
          label={text.builtin}
          help={text.builtinHelp}
          on={rules.builtin}
          onChange={(on) =>
            draft.edit((copy) => {
              copy.privacy.rules.builtin = on;
            })
          }
        />
        <details class="disclosure">
          <summary>{text.advanced}</summary>
          <div class="stack wide folded">
            <PatternFields
              patterns={rules.patterns}
              checks={checks}
              sample={sample}
              onSample={setSample}
              onChange={(level, items) =>
                draft.edit((copy) => {
                  copy.privacy.rules.patterns[level] = items;
                })
              }
            />
            <ToolRules draft={draft} />
            <ChipList
              label={text.allow}
              mono
              items={rules.allow}
              placeholder={text.allowHint}
              onChange={(items) =>
                draft.edit((copy) => {
                  copy.privacy.rules.allow = items;
                })
              }
            >
              <span class="help">{text.allowHelp}</span>
            </ChipList>
            <DetectorGrid draft={draft} />
          </div>
        </details>
      </div>
      <SaveBar
        draft={draft}
        text={text.savePrivacy}
        blocked={anyRefused(patterns, checks) ? text.mendPatterns : undefined}
      />
      <div class="disclosure">
        <PromptEditor name="detection-system" />
      </div>
      <div class="disclosure">
        <PromptEditor name="guard-agent-system" />
      </div>
      <details class="disclosure">
        <summary>{text.testRouterTitle}</summary>
        <div class="folded">
          <VerdictPanel router="privacy" />
        </div>
      </details>
    </Card>
  );
}
