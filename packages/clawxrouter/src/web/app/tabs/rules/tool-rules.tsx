import { PRIVATE_LEVELS } from "../../api/names.ts";
import { ChipList } from "../../components/chip-list.tsx";
import { ruleWords } from "../../i18n/rules.ts";
import { say } from "../../i18n/words.ts";
import type { Draft } from "../../state/draft.ts";

/** Tools and files that are private by name. */
export function ToolRules({ draft }: { draft: Draft }) {
  const text = say(ruleWords);
  const rules = draft.settings?.privacy.rules.tools;
  if (rules === undefined) return null;
  return (
    <div class="stack">
      <div class="two">
        {PRIVATE_LEVELS.map((level) => (
          <ChipList
            key={`tools-${level}`}
            label={level === "S2" ? text.toolsS2 : text.toolsS3}
            tone={level}
            mono
            items={rules[level].tools}
            placeholder={text.toolHint}
            onChange={(items) =>
              draft.edit((copy) => {
                copy.privacy.rules.tools[level].tools = items;
              })
            }
          />
        ))}
        {PRIVATE_LEVELS.map((level) => (
          <ChipList
            key={`paths-${level}`}
            label={level === "S2" ? text.pathsS2 : text.pathsS3}
            tone={level}
            mono
            items={rules[level].paths}
            placeholder={text.pathHint}
            onChange={(items) =>
              draft.edit((copy) => {
                copy.privacy.rules.tools[level].paths = items;
              })
            }
          />
        ))}
      </div>
      <span class="help">{text.toolsHelp}</span>
    </div>
  );
}
