import { useState } from "preact/hooks";
import type { ConfigDocument } from "../../../contract.ts";
import { get, post } from "../../api/client.ts";
import { Tag } from "../../components/badges.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ChangeList } from "../../components/change-list.tsx";
import { Empty, FaultNote, Skeleton } from "../../components/notes.tsx";
import { When } from "../../components/time.tsx";
import { configWords } from "../../i18n/config.ts";
import { say } from "../../i18n/words.ts";
import { useResource } from "../../state/resource.ts";
import { configDocument, loadConfig } from "../../state/settings.ts";
import { toast } from "../../state/toasts.ts";

/** Earlier versions of the file, what each change was, and the way back. */
export function HistoryCard({ document }: { document: ConfigDocument }) {
  const text = say(configWords);
  const history = useResource((signal) => get("configHistory", {}, signal), document.version);
  const [busy, setBusy] = useState<string | undefined>(undefined);
  const [fault, setFault] = useState<unknown>(undefined);
  const goBack = async (id: string) => {
    setBusy(id);
    setFault(undefined);
    try {
      configDocument.value = await post("undoConfig", { version: document.version, id });
      toast(text.restored);
    } catch (error) {
      setFault(error);
      await loadConfig();
    }
    setBusy(undefined);
  };
  const items = history.data?.items;
  // One step further back each time; what was taken back is in the list, to be restored.
  const newest = items?.find((item) => !item.undone);
  return (
    <Card
      title={text.history}
      help={text.historyHelp}
      actions={
        newest !== undefined && (
          <Button icon="undo" busy={busy === newest.id} onClick={() => void goBack(newest.id)}>
            {text.restoreLast}
          </Button>
        )
      }
    >
      {fault !== undefined && <FaultNote fault={fault} />}
      {history.fault !== undefined && <FaultNote fault={history.fault} onRetry={history.reload} />}
      {items === undefined && history.fault === undefined && <Skeleton lines={3} />}
      {items?.length === 0 && (
        <Empty title={text.noHistory}>
          <p>{text.noHistoryHelp}</p>
        </Empty>
      )}
      <ul class="history">
        {items?.map((item) => (
          <li key={item.id}>
            <details>
              <summary>
                <When at={item.at} /> <span class="small muted">{text.nChanges(item.changes.length)}</span>{" "}
                {item.undone && <Tag icon="undo">{text.undone}</Tag>}{" "}
                <span class="small muted wrap-any">
                  {item.changes
                    .slice(0, 2)
                    .map((change) => change.path)
                    .join(", ")}
                </span>
              </summary>
              <div class="stack folded">
                <ChangeList changes={item.changes} />
                <div class="row">
                  <Button small icon="undo" busy={busy === item.id} onClick={() => void goBack(item.id)}>
                    {text.restore}
                  </Button>
                </div>
              </div>
            </details>
          </li>
        ))}
      </ul>
    </Card>
  );
}
