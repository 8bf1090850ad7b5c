import { Card } from "../../components/card.tsx";
import { NumberInput, Select } from "../../components/inputs.tsx";
import { costWords } from "../../i18n/cost.ts";
import { say } from "../../i18n/words.ts";
import type { Draft } from "../../state/draft.ts";

const LIMITS = [
  { field: "dayUsd", name: "day" },
  { field: "monthUsd", name: "month" },
] as const;

export function BudgetFields({ draft }: { draft: Draft }) {
  const text = say(costWords);
  const budget = draft.settings?.tokenSaver.budget;
  if (budget === undefined) return null;
  return (
    <Card title={text.budget} help={text.budgetHelp}>
      <div class="fields">
        {LIMITS.map(({ field, name }) => (
          <NumberInput
            key={field}
            label={text[name]}
            unit="USD"
            min={0}
            placeholder={text.noLimit}
            value={budget[field]}
            onChange={(value) =>
              draft.edit((copy) => {
                if (value === undefined || value <= 0) delete copy.tokenSaver.budget[field];
                else copy.tokenSaver.budget[field] = value;
              })
            }
          />
        ))}
        <NumberInput
          label={text.warnAt}
          help={text.warnAtHelp}
          unit="%"
          min={0}
          max={100}
          value={Math.round(budget.warnAt * 1_000) / 10}
          onChange={(value) =>
            draft.edit((copy) => {
              if (value !== undefined) copy.tokenSaver.budget.warnAt = value / 100;
            })
          }
        />
        <Select
          label={text.onExceeded}
          value={budget.onExceeded}
          options={(["downgrade", "warn"] as const).map((value) => ({ value, text: text.exceeded[value] }))}
          onChange={(value) =>
            draft.edit((copy) => {
              copy.tokenSaver.budget.onExceeded = value;
            })
          }
        />
      </div>
    </Card>
  );
}
