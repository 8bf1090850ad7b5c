import { TIERS } from "../../api/names.ts";
import { Card } from "../../components/card.tsx";
import { ModelSelect } from "../../components/model-select.tsx";
import { commonWords } from "../../i18n/common.ts";
import { costWords } from "../../i18n/cost.ts";
import { usd } from "../../i18n/format.ts";
import { say } from "../../i18n/words.ts";
import type { Draft } from "../../state/draft.ts";
import { models } from "../../state/models.ts";
import { priceOf } from "./prices.ts";

/** Difficulty to model. */
export function TierTable({ draft }: { draft: Draft }) {
  const text = say(costWords);
  const common = say(commonWords);
  const cost = draft.settings?.tokenSaver;
  if (cost === undefined) return null;
  return (
    <Card title={text.tiers} help={text.tiersHelp}>
      <ul class="tiers">
        {TIERS.map((tier, at) => {
          const price = priceOf(cost.tiers[tier], cost.prices, models.value);
          return (
            <li key={tier}>
              <div>
                <strong class="row">
                  <i class={`dot c${at}`} aria-hidden="true" />
                  {common.tiers[tier]}
                </strong>
                <span class="small muted">{text.tierExamples[tier]}</span>
              </div>
              <ModelSelect
                label={text.modelFor(common.tiers[tier])}
                quiet
                value={cost.tiers[tier]}
                onChange={(chosen) =>
                  draft.edit((copy) => {
                    if (chosen !== undefined) copy.tokenSaver.tiers[tier] = chosen;
                  })
                }
              />
              <span class="small muted tier-price">
                {price === undefined
                  ? text.priceUnknown
                  : text.perMillion(usd(price.input), usd(price.output))}
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
