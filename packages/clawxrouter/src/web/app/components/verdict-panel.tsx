/** A text and what the pipeline, or one router alone, makes of it. */
import { useState } from "preact/hooks";
import type { Answer, Checkpoint } from "../../contract.ts";
import { post } from "../api/client.ts";
import { CHECKPOINT_ORDER } from "../api/names.ts";
import { commonWords } from "../i18n/common.ts";
import { ruleWords } from "../i18n/rules.ts";
import { say } from "../i18n/words.ts";
import { Button } from "./button.tsx";
import { Select, TextArea, TextInput } from "./inputs.tsx";
import { FaultNote } from "./notes.tsx";
import { VerdictResult } from "./verdict-result.tsx";

interface Props {
  /** Ask only this router; undefined: the user chooses among `routers`. */
  router?: string;
  routers?: readonly string[];
}

const PIPELINE = "";

export function VerdictPanel({ router, routers = [] }: Props) {
  const text = say(ruleWords);
  const common = say(commonWords);
  const [message, setMessage] = useState("");
  const [checkpoint, setCheckpoint] = useState<Checkpoint>("onUserMessage");
  const [tool, setTool] = useState("");
  const [chosen, setChosen] = useState(PIPELINE);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(undefined);
  const [result, setResult] = useState<
    { message: string; verdict: Answer<"testClassify">; cloud: string | null | undefined } | undefined
  >(undefined);
  const asked = router ?? (chosen === PIPELINE ? undefined : chosen);
  const atTool = checkpoint === "onToolCallProposed" || checkpoint === "onToolCallExecuted";
  const run = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setFault(undefined);
    try {
      const whole = asked === undefined && checkpoint === "onUserMessage";
      const [verdict, route] = await Promise.all([
        post("testClassify", {
          message,
          checkpoint,
          router: asked,
          ...(atTool && tool !== "" ? { tool } : {}),
        }),
        whole ? post("testRoute", { message }) : undefined,
      ]);
      setResult({ message, verdict, cloud: route?.cloud });
    } catch (error) {
      setFault(error);
      setResult(undefined);
    }
    setBusy(false);
  };
  return (
    <form class="stack" onSubmit={run}>
      <TextArea
        label={text.message}
        placeholder={text.messageHint}
        rows={3}
        value={message}
        onChange={setMessage}
      />
      <div class="fields">
        <Select
          label={text.stage}
          value={checkpoint}
          options={CHECKPOINT_ORDER.map((value) => ({ value, text: common.checkpoints[value] }))}
          onChange={setCheckpoint}
        />
        {atTool && (
          <TextInput label={text.toolName} placeholder={text.toolHint} value={tool} onChange={setTool} />
        )}
        {router === undefined && (
          <Select
            label={text.ask}
            value={chosen}
            options={[
              { value: PIPELINE, text: text.wholePipeline },
              ...routers.map((id) => ({ value: id, text: id })),
            ]}
            onChange={setChosen}
          />
        )}
      </div>
      <div class="row">
        <Button type="submit" kind="primary" busy={busy} disabled={message.trim() === ""}>
          {busy ? text.running : text.run}
        </Button>
      </div>
      {fault !== undefined && <FaultNote fault={fault} />}
      <div aria-live="polite">{result !== undefined && <VerdictResult {...result} />}</div>
    </form>
  );
}
