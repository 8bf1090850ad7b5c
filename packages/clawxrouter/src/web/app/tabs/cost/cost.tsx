/** Which model answers what, what models cost, how much may be spent, and what another choice would have cost. */
import { FaultNote, Skeleton } from "../../components/notes.tsx";
import { PromptEditor } from "../../components/prompt-editor.tsx";
import { SaveBar } from "../../components/save-bar.tsx";
import { commonWords } from "../../i18n/common.ts";
import { costWords } from "../../i18n/cost.ts";
import { ruleWords } from "../../i18n/rules.ts";
import { say } from "../../i18n/words.ts";
import { useDraft } from "../../state/draft.ts";
import { useModels } from "../../state/models.ts";
import { configFault, loadConfig } from "../../state/settings.ts";
import { PageHead } from "../page-head.tsx";
import { BudgetFields } from "./budget-fields.tsx";
import { JudgeCard } from "./judge-card.tsx";
import { PriceTable } from "./price-table.tsx";
import { halfPriced } from "./prices.ts";
import { Replay } from "./replay.tsx";
import { TierTable } from "./tier-table.tsx";

export function Cost() {
  const text = say(costWords);
  const draft = useDraft("cost");
  useModels();
  const cost = draft.settings?.tokenSaver;
  return (
    <>
      <PageHead title={say(commonWords).tabs.cost} help={text.help} />
      {configFault.value !== undefined && (
        <FaultNote fault={configFault.value} onRetry={() => void loadConfig()} />
      )}
      {cost === undefined ? (
        <div class="card">
          <Skeleton lines={8} />
        </div>
      ) : (
        <>
          <JudgeCard draft={draft} />
          <TierTable draft={draft} />
          <PriceTable draft={draft} />
          <BudgetFields draft={draft} />
          <div class={`card save-card ${draft.dirty ? "sticky" : ""}`}>
            <SaveBar
              draft={draft}
              text={text.save}
              blocked={halfPriced(cost.prices) ? text.needBoth : undefined}
            />
          </div>
          <Replay settings={cost} />
          <section class="card" aria-label={say(ruleWords).promptTitles["token-saver-judge"]}>
            <PromptEditor name="token-saver-judge" heading="h2" />
          </section>
        </>
      )}
    </>
  );
}
