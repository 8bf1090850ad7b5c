/** Green or red, what is wrong, and the exact way to mend it: a button where the page can do it, else a command. */
import { useState } from "preact/hooks";
import type { Answer, Posture } from "../../../contract.ts";
import { post } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Command } from "../../components/command.tsx";
import { Icon } from "../../components/icon.tsx";
import { FaultNote, Skeleton } from "../../components/notes.tsx";
import { language } from "../../i18n/language.ts";
import { overviewWords } from "../../i18n/overview.ts";
import { say } from "../../i18n/words.ts";
import type { Resource } from "../../state/resource.ts";
import { SelfTestDialog } from "./self-test-dialog.tsx";
import { SetupDialog } from "./setup-dialog.tsx";

type Item = Posture["items"][number];
const ICONS = { green: "check", yellow: "warning", red: "block" } as const;
const TONES = { green: "good", yellow: "warn", red: "bad" } as const;

export function PostureCard({ posture }: { posture: Resource<Posture> }) {
  const text = say(overviewWords);
  const [setup, setSetup] = useState(false);
  const [result, setResult] = useState<Answer<"selfTest"> | undefined>(undefined);
  const [fault, setFault] = useState<unknown>(undefined);
  const [testing, setTesting] = useState(false);
  const selfTest = async () => {
    setTesting(true);
    setFault(undefined);
    await post("selfTest", {}).then(setResult, setFault);
    setTesting(false);
    posture.reload();
  };
  const data = posture.data;
  if (data === undefined) {
    return (
      <section class="card" aria-label={text.postureTitle}>
        {posture.fault === undefined ? (
          <Skeleton lines={2} />
        ) : (
          <FaultNote fault={posture.fault} onRetry={posture.reload} />
        )}
      </section>
    );
  }
  const failed = data.items.filter((item) => !item.ok);
  const passed = data.items.filter((item) => item.ok);
  return (
    <section class={`card posture ${TONES[data.state]}`} aria-label={text.postureTitle}>
      <div class="posture-head" role="status">
        <span class="posture-mark">
          <Icon name={ICONS[data.state]} size={26} />
        </span>
        <div class="grow">
          <h2>{text.posture[data.state]}</h2>
          <p>{text.postureHelp[data.state]}</p>
        </div>
        <Button busy={testing} onClick={() => void selfTest()}>
          {testing ? text.testing : text.runSelfTest}
        </Button>
      </div>
      {fault !== undefined && <FaultNote fault={fault} />}
      {failed.length > 0 && (
        <ul class="posture-list">
          {failed.map((item) => (
            <Missing
              key={item.id}
              item={item}
              onSetup={() => setSetup(true)}
              onSelfTest={() => void selfTest()}
            />
          ))}
        </ul>
      )}
      {passed.length > 0 && (
        <details>
          <summary class="small">{text.checksOk(passed.length)}</summary>
          <ul class="stack passed">
            {passed.map((item) => (
              <li key={item.id} class="small">
                <Icon name="check" size={15} /> {item.text[language.value]}
              </li>
            ))}
          </ul>
        </details>
      )}
      {setup && <SetupDialog onClose={() => setSetup(false)} onDone={(next) => posture.set(() => next)} />}
      {result !== undefined && <SelfTestDialog result={result} onClose={() => setResult(undefined)} />}
    </section>
  );
}

function Missing({ item, onSetup, onSelfTest }: { item: Item; onSetup: () => void; onSelfTest: () => void }) {
  const text = say(overviewWords);
  const { fix } = item;
  return (
    <li>
      <span class={`badge ${item.severity === "red" ? "bad" : "warn"}`}>
        <Icon name="warning" size={13} />
        {text.missing}
      </span>
      <div class="stack grow">
        <span class="wrap-any">{item.text[language.value]}</span>
        {fix !== null && (
          <div class="row">
            {fix.action === "setup" && (
              <Button small kind="primary" onClick={onSetup}>
                {text.applyFix}
              </Button>
            )}
            {fix.action === "self-test" && (
              <Button small onClick={onSelfTest}>
                {text.runSelfTest}
              </Button>
            )}
            {fix.command === null ? (
              <span class="small muted wrap-any">{fix.text[language.value]}</span>
            ) : (
              <Command text={fix.command} />
            )}
          </div>
        )}
      </div>
    </li>
  );
}
