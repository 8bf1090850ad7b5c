import type { Answer } from "../../../contract.ts";
import { Tag } from "../../components/badges.tsx";
import { Card } from "../../components/card.tsx";
import { usd } from "../../i18n/format.ts";
import { overviewWords } from "../../i18n/overview.ts";
import { say } from "../../i18n/words.ts";
import { hashOf } from "../../state/location.ts";

const TONES = { none: undefined, ok: "good", warn: "warn", exceeded: "bad" } as const;

export function BudgetCard({ budget }: { budget: Answer<"summary">["budget"] }) {
  const text = say(overviewWords);
  return (
    <Card
      title={text.budget}
      width="w5"
      actions={
        budget.state === "none" ? undefined : (
          <Tag tone={TONES[budget.state]} icon={budget.state === "ok" ? "check" : "warning"}>
            {text.budgetStates[budget.state]}
          </Tag>
        )
      }
    >
      <div class="stack wide">
        <Limit name={text.today} spent={budget.dayUsd} limit={budget.dayLimitUsd} />
        <Limit name={text.month} spent={budget.monthUsd} limit={budget.monthLimitUsd} />
        {budget.state === "none" && (
          <p class="small muted">
            {text.budgetNone} <a href={hashOf("cost")}>{text.setBudget}</a>
          </p>
        )}
      </div>
    </Card>
  );
}

function Limit({ name, spent, limit }: { name: string; spent: number; limit: number | null }) {
  const text = say(overviewWords);
  const share = limit === null || limit === 0 ? 0 : Math.min(1, spent / limit);
  return (
    <div class="stack">
      <div class="row spread">
        <span>{name}</span>
        <strong>{limit === null ? usd(spent) : text.of(usd(spent), usd(limit))}</strong>
      </div>
      {limit !== null && (
        <svg class="share-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
          <rect class="share-empty" width="100" height="6" />
          <rect
            class={`fill ${share >= 1 ? "blocked" : share >= 0.8 ? "S2" : "S1"}`}
            width={share * 100}
            height="6"
          />
        </svg>
      )}
    </div>
  );
}
