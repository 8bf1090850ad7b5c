import { useState } from "preact/hooks";
import { post } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { FaultNote } from "../../components/notes.tsx";
import { commonWords } from "../../i18n/common.ts";
import { configWords } from "../../i18n/config.ts";
import { say } from "../../i18n/words.ts";
import { loadConfig } from "../../state/settings.ts";
import { toast } from "../../state/toasts.ts";

const KINDS = ["statistics", "config", "prompts"] as const;
type Kind = (typeof KINDS)[number];

export function ResetCard() {
  const text = say(configWords);
  const [asking, setAsking] = useState<Kind | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(undefined);
  const carryOut = async (what: Kind) => {
    setBusy(true);
    setFault(undefined);
    try {
      await post("reset", { what, confirm: true });
      await loadConfig();
      toast(text.resetDone);
      setAsking(undefined);
    } catch (error) {
      setFault(error);
    }
    setBusy(false);
  };
  return (
    <Card title={text.reset} help={text.resetHelp}>
      <div class="row">
        {KINDS.map((kind) => (
          <Button key={kind} kind="danger" onClick={() => setAsking(kind)}>
            {text.resets[kind]}
          </Button>
        ))}
      </div>
      {asking !== undefined && (
        <Dialog
          title={text.resets[asking]}
          onClose={() => setAsking(undefined)}
          foot={
            <>
              <Button onClick={() => setAsking(undefined)}>{say(commonWords).cancel}</Button>
              <Button kind="danger" busy={busy} onClick={() => void carryOut(asking)}>
                {text.resets[asking]}
              </Button>
            </>
          }
        >
          <p>{text.resetNotes[asking]}</p>
          {fault !== undefined && <FaultNote fault={fault} />}
        </Dialog>
      )}
    </Card>
  );
}
