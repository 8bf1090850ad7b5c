import { PRIVATE_LEVELS, type PrivateLevel } from "../../api/names.ts";
import { TextArea } from "../../components/inputs.tsx";
import { PatternList } from "../../components/pattern-list.tsx";
import { ruleWords } from "../../i18n/rules.ts";
import { say } from "../../i18n/words.ts";
import type { Checks } from "../../state/pattern-checks.ts";

interface Props {
  patterns: Readonly<Record<PrivateLevel, readonly string[]>>;
  checks: Checks;
  sample: string;
  onSample: (sample: string) => void;
  onChange: (level: PrivateLevel, items: string[]) => void;
}

export function PatternFields({ patterns, checks, sample, onSample, onChange }: Props) {
  const text = say(ruleWords);
  return (
    <>
      <div class="two">
        {PRIVATE_LEVELS.map((level) => (
          <PatternList
            key={level}
            label={level === "S2" ? text.patternsS2 : text.patternsS3}
            items={patterns[level]}
            checks={checks}
            sampled={sample !== ""}
            onChange={(items) => onChange(level, items)}
          />
        ))}
      </div>
      <TextArea label={text.sample} help={text.sampleHelp} rows={2} value={sample} onChange={onSample} />
    </>
  );
}
