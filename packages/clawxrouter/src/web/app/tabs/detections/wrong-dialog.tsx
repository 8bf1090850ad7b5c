/** "This was wrong": what kind of mistake, what to change, and what that would have changed lately, before it is done. */
import { useEffect, useId, useState } from "preact/hooks";
import type { ConfigPreview, Detection } from "../../../contract.ts";
import { post } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { FaultNote, Skeleton } from "../../components/notes.tsx";
import { commonWords } from "../../i18n/common.ts";
import { detectionWords } from "../../i18n/detections.ts";
import { say } from "../../i18n/words.ts";
import { configDocument, loadConfig, settings } from "../../state/settings.ts";
import { toast } from "../../state/toasts.ts";
import { type Correction, type CorrectionKind, kindsFor } from "./correction.ts";
import { CorrectionFields } from "./correction-fields.tsx";
import { PreviewBox } from "./preview-box.tsx";

const PAUSE_MS = 350;

interface Props {
  detection: Detection;
  onClose: () => void;
  onDone: (feedback: string) => void;
}

export function WrongDialog({ detection, onClose, onDone }: Props) {
  const text = say(detectionWords);
  const name = useId();
  const [kind, setKind] = useState<CorrectionKind | undefined>(undefined);
  const [change, setChange] = useState<Correction | undefined>(undefined);
  const [preview, setPreview] = useState<ConfigPreview | "working" | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(undefined);
  const version = configDocument.value?.version;

  useEffect(() => {
    setFault(undefined);
    if (change === undefined || version === undefined) return setPreview(undefined);
    const abort = new AbortController();
    setPreview("working");
    const timer = setTimeout(() => {
      post("feedbackPreview", { detection: detection.id, change, version }, abort.signal).then(
        (answer) => setPreview(answer),
        (error: unknown) => {
          if (abort.signal.aborted) return;
          setPreview(undefined);
          setFault(error);
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [JSON.stringify(change), version]);

  const applyChange = async () => {
    if (change === undefined || version === undefined) return;
    setBusy(true);
    try {
      configDocument.value = await post("feedback", { detection: detection.id, change, version });
      toast(text.done);
      onDone(change.kind);
    } catch (error) {
      setFault(error);
      setBusy(false);
      await loadConfig();
    }
  };
  const now = settings.value;
  const ready = typeof preview === "object" && preview.ok;
  return (
    <Dialog
      title={text.dialogTitle}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{say(commonWords).cancel}</Button>
          <Button kind="primary" busy={busy} disabled={!ready} onClick={() => void applyChange()}>
            {text.apply}
          </Button>
        </>
      }
    >
      {now === undefined ? (
        <Skeleton />
      ) : (
        <>
          <fieldset class="choices">
            <legend class="visually-hidden">{text.dialogTitle}</legend>
            {kindsFor(detection, now).map((option) => (
              <label key={option} class="choice">
                <input
                  type="radio"
                  name={name}
                  checked={kind === option}
                  onChange={() => {
                    setKind(option);
                    setChange(undefined);
                  }}
                />
                {text.kinds[option]}
              </label>
            ))}
          </fieldset>
          {kind !== undefined && (
            <CorrectionFields
              key={kind}
              kind={kind}
              detection={detection}
              settings={now}
              onChange={setChange}
            />
          )}
          <PreviewBox preview={preview} />
          {fault !== undefined && <FaultNote fault={fault} />}
        </>
      )}
    </Dialog>
  );
}
