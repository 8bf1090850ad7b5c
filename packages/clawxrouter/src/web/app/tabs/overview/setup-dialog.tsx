import { useState } from "preact/hooks";
import type { Posture } from "../../../contract.ts";
import { get, post } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { FaultNote, Note, Skeleton } from "../../components/notes.tsx";
import { commonWords } from "../../i18n/common.ts";
import { overviewWords } from "../../i18n/overview.ts";
import { setupText } from "../../i18n/setup-notes.ts";
import { say } from "../../i18n/words.ts";
import { useResource } from "../../state/resource.ts";
import { toast } from "../../state/toasts.ts";

/** Shows what `setup` would change in openclaw.json before it does. */
export function SetupDialog({
  onClose,
  onDone,
}: {
  onClose: () => void;
  onDone: (posture: Posture) => void;
}) {
  const text = say(overviewWords);
  const plan = useResource((signal) => get("setupPlan", {}, signal), "");
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(undefined);
  const carryOut = async () => {
    if (plan.data === undefined) return;
    setBusy(true);
    setFault(undefined);
    try {
      onDone(await post("setup", { plan: plan.data.plan }));
      toast(text.setupDone);
      onClose();
    } catch (error) {
      setFault(error);
      setBusy(false);
    }
  };
  const nothing = plan.data?.changes.length === 0;
  return (
    <Dialog
      title={text.setupTitle}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{say(commonWords).cancel}</Button>
          <Button
            kind="primary"
            busy={busy}
            disabled={plan.data === undefined || nothing}
            onClick={() => void carryOut()}
          >
            {text.setupApply}
          </Button>
        </>
      }
    >
      <p class="muted">{text.setupHelp}</p>
      {plan.data === undefined && plan.fault === undefined && <Skeleton />}
      {plan.fault !== undefined && <FaultNote fault={plan.fault} onRetry={plan.reload} />}
      {nothing && <Note tone="good">{text.setupNone}</Note>}
      {plan.data?.problems.map((problem) => (
        <Note key={problem} tone="warn">
          {setupText(problem)}
        </Note>
      ))}
      {plan.data?.changes.map((change) => (
        <div key={change.path} class="plan-change">
          <strong class="mono wrap-any small">{change.path}</strong>
          <div class="diff">
            {change.before !== "" && <div class="minus">- {change.before}</div>}
            <div class="plus">+ {change.after}</div>
          </div>
          {change.note !== "" && <span class="small muted wrap-any">{setupText(change.note)}</span>}
        </div>
      ))}
      {fault !== undefined && <FaultNote fault={fault} />}
    </Dialog>
  );
}
