/** The whole file: export, import, edit as text. Checked by the gateway while it is typed. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { ConfigDocument, ConfigPreview } from "../../../contract.ts";
import { addressOf, post } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ChangeList } from "../../components/change-list.tsx";
import { Icon } from "../../components/icon.tsx";
import { TextArea } from "../../components/inputs.tsx";
import { FaultNote, Note } from "../../components/notes.tsx";
import { configWords } from "../../i18n/config.ts";
import { placed } from "../../i18n/faults.ts";
import { say } from "../../i18n/words.ts";
import { configDocument, loadConfig } from "../../state/settings.ts";
import { toast } from "../../state/toasts.ts";

const PAUSE_MS = 350;

export function FileCard({ document }: { document: ConfigDocument }) {
  const text = say(configWords);
  const picker = useRef<HTMLInputElement>(null);
  /** Undefined: the editor is closed. */
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [preview, setPreview] = useState<ConfigPreview | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(undefined);
  useEffect(() => {
    setPreview(undefined);
    setFault(undefined);
    if (typed === undefined) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      post("previewConfig", { text: typed }, abort.signal).then(setPreview, (error: unknown) => {
        if (!abort.signal.aborted) setFault(error);
      });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [typed, document.version]);
  const choose = async (event: Event & { currentTarget: HTMLInputElement }) => {
    const file = event.currentTarget.files?.[0];
    if (file !== undefined) setTyped(await file.text());
    event.currentTarget.value = "";
  };
  const doImport = async () => {
    if (typed === undefined) return;
    setBusy(true);
    try {
      configDocument.value = await post("importConfig", { version: document.version, text: typed });
      setTyped(undefined);
      toast(text.imported);
    } catch (error) {
      setFault(error);
      await loadConfig();
    }
    setBusy(false);
  };
  return (
    <Card
      title={text.file}
      help={text.fileHelp}
      actions={
        <>
          <a class="button" href={addressOf("exportConfig")} download="clawxrouter.json">
            <Icon name="download" />
            {text.export}
          </a>
          <Button icon="upload" onClick={() => picker.current?.click()}>
            {text.importFile}
          </Button>
          <input
            ref={picker}
            type="file"
            class="visually-hidden"
            accept="application/json,.json"
            tabIndex={-1}
            aria-label={text.importFile}
            onChange={(event) => void choose(event)}
          />
          <Button
            expanded={typed !== undefined}
            onClick={() =>
              setTyped(typed === undefined ? `${JSON.stringify(document.raw, null, 2)}\n` : undefined)
            }
          >
            {text.editText}
          </Button>
        </>
      }
    >
      {typed !== undefined && (
        <div class="stack">
          <TextArea
            label={text.importText}
            help={text.importHelp}
            mono
            rows={16}
            value={typed}
            onChange={setTyped}
          />
          <div aria-live="polite" class="stack">
            {preview === undefined ? (
              fault === undefined && <span class="small muted">{text.checking}</span>
            ) : (
              <Checked preview={preview} />
            )}
          </div>
          {fault !== undefined && <FaultNote fault={fault} />}
          <div class="row">
            <Button
              kind="primary"
              busy={busy}
              disabled={preview?.ok !== true || preview.changes.length === 0}
              onClick={() => void doImport()}
            >
              {text.doImport}
            </Button>
          </div>
        </div>
      )}
    </Card>
  );
}

function Checked({ preview }: { preview: ConfigPreview }) {
  const text = say(configWords);
  if (!preview.ok) {
    return (
      <Note tone="bad">
        {preview.faults.map((fault) => (
          <span key={`${fault.path}-${fault.line}`}>{placed(fault.message, fault.path, fault.line)}</span>
        ))}
      </Note>
    );
  }
  return (
    <>
      <Note tone="good">
        {text.ok} {preview.changes.length === 0 ? text.noChanges : text.changes(preview.changes.length)}
      </Note>
      <ChangeList changes={preview.changes} />
    </>
  );
}
