import { Card } from "../../components/card.tsx";
import { FaultNote, Skeleton } from "../../components/notes.tsx";
import { VerdictPanel } from "../../components/verdict-panel.tsx";
import { commonWords } from "../../i18n/common.ts";
import { ruleWords } from "../../i18n/rules.ts";
import { say } from "../../i18n/words.ts";
import { configFault, loadConfig, settings } from "../../state/settings.ts";
import { PageHead } from "../page-head.tsx";
import { CustomRouters } from "./custom-routers.tsx";
import { OrderCard } from "./order-card.tsx";
import { PrivacyCard } from "./privacy-card.tsx";

export function Rules() {
  const text = say(ruleWords);
  const now = settings.value;
  return (
    <>
      <PageHead title={say(commonWords).tabs.rules} help={text.help} />
      {configFault.value !== undefined && (
        <FaultNote fault={configFault.value} onRetry={() => void loadConfig()} />
      )}
      {now === undefined ? (
        configFault.value === undefined && (
          <div class="card">
            <Skeleton lines={10} />
          </div>
        )
      ) : (
        <>
          <Card title={text.testTitle} help={text.testHelp}>
            <VerdictPanel routers={Object.keys(now.privacy.routers)} />
          </Card>
          <PrivacyCard />
          <OrderCard />
          <CustomRouters />
        </>
      )}
    </>
  );
}
