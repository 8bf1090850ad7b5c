import { FaultNote, Note, Skeleton } from "../../components/notes.tsx";
import { commonWords } from "../../i18n/common.ts";
import { configWords } from "../../i18n/config.ts";
import { placed } from "../../i18n/faults.ts";
import { say } from "../../i18n/words.ts";
import { configDocument, configFault, loadConfig } from "../../state/settings.ts";
import { PageHead } from "../page-head.tsx";
import { Audit } from "./audit.tsx";
import { FileCard } from "./file-card.tsx";
import { HistoryCard } from "./history-card.tsx";
import { ResetCard } from "./reset-card.tsx";
import { SettingsForm } from "./settings-form.tsx";

export function Config() {
  const text = say(configWords);
  const document = configDocument.value;
  return (
    <>
      <PageHead title={say(commonWords).tabs.config} help={text.help} />
      {configFault.value !== undefined && (
        <FaultNote fault={configFault.value} onRetry={() => void loadConfig()} />
      )}
      {document === undefined ? (
        <div class="card">
          <Skeleton lines={10} />
        </div>
      ) : (
        <>
          {document.error !== null && (
            <div class="invalid-file" role="alert">
              <Note tone="bad">
                <strong>{text.invalid}</strong>
                {document.error.faults.length === 0 && <span>{document.error.message}</span>}
                {document.error.faults.map((fault) => (
                  <span key={`${fault.path}-${fault.line}`}>
                    {placed(fault.message, fault.path, fault.line)}
                  </span>
                ))}
              </Note>
            </div>
          )}
          <SettingsForm />
          <FileCard document={document} />
          <HistoryCard document={document} />
          <Audit />
          <ResetCard />
        </>
      )}
    </>
  );
}
