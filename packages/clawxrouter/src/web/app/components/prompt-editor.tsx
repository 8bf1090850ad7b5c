/** A prompt of the local model: edit, save, reset, and what differs from the shipped text. */
import { useEffect, useState } from "preact/hooks";
import type { Prompt } from "../../contract.ts";
import { get, post } from "../api/client.ts";
import { ApiFault } from "../api/fault.ts";
import { count } from "../i18n/format.ts";
import { ruleWords } from "../i18n/rules.ts";
import { say } from "../i18n/words.ts";
import { lineDiff } from "../state/line-diff.ts";
import { onLive } from "../state/live.ts";
import { useResource } from "../state/resource.ts";
import { toast } from "../state/toasts.ts";
import { Tag } from "./badges.tsx";
import { Button } from "./button.tsx";
import { DiffView } from "./diff-view.tsx";
import { TextArea } from "./inputs.tsx";
import { FaultNote, Note, Skeleton } from "./notes.tsx";

/** @param heading level of its title in the page */
export function PromptEditor({ name, heading = "h3" }: { name: Prompt["name"]; heading?: "h2" | "h3" }) {
  const prompts = useResource((signal) => get("prompts", {}, signal), "");
  useEffect(() => onLive("prompts", prompts.reload), []);
  const prompt = prompts.data?.prompts.find((entry) => entry.name === name);
  if (prompt !== undefined) {
    const take = (changed: Prompt) =>
      prompts.set((old) => ({
        prompts: old.prompts.map((entry) => (entry.name === name ? changed : entry)),
      }));
    return <Editor prompt={prompt} onChange={take} reload={prompts.reload} heading={heading} />;
  }
  return prompts.fault === undefined ? (
    <Skeleton />
  ) : (
    <FaultNote fault={prompts.fault} onRetry={prompts.reload} />
  );
}

interface Props {
  prompt: Prompt;
  onChange: (prompt: Prompt) => void;
  reload: () => void;
  heading: "h2" | "h3";
}

function Editor({ prompt, onChange, reload, heading: Heading }: Props) {
  const text = say(ruleWords);
  /** Undefined: nothing typed, the saved text shows, whoever saves it. `version` is what was there when typing began. */
  const [typed, setTyped] = useState<{ text: string; version: string } | undefined>(undefined);
  const [diff, setDiff] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(undefined);
  const [conflict, setConflict] = useState(false);
  const { name } = prompt;
  const shown = typed?.text ?? prompt.text;
  const dirty = typed !== undefined && typed.text !== prompt.text;
  // Once the user knows of the other's text, his next save goes over it.
  const version = conflict ? prompt.version : (typed?.version ?? prompt.version);
  const send = async (body: Parameters<typeof post<"writePrompt">>[1], done: string) => {
    setBusy(true);
    setFault(undefined);
    setConflict(false);
    try {
      const written = await post("writePrompt", body);
      onChange(written);
      // What was typed while it was being saved stays.
      setTyped((now) =>
        now === undefined || body.action === "reset" || now.text === body.text
          ? undefined
          : { text: now.text, version: written.version },
      );
      toast(done);
    } catch (error) {
      if (error instanceof ApiFault && error.code === "conflict") {
        setConflict(true);
        reload();
      } else setFault(error);
    }
    setBusy(false);
  };
  return (
    <div class="stack prompt">
      <div class="row spread">
        <div>
          <Heading>{text.promptTitles[name]}</Heading>
          <p class="small muted">{text.promptNotes[name]}</p>
        </div>
        <Tag tone={prompt.edited ? "warn" : undefined}>{prompt.edited ? text.edited : text.asShipped}</Tag>
      </div>
      <TextArea
        label={text.promptTitles[name]}
        quiet
        mono
        rows={8}
        value={shown}
        help={text.chars(count(shown.length), count(prompt.maxChars))}
        fault={
          shown.length > prompt.maxChars ? text.chars(count(shown.length), count(prompt.maxChars)) : undefined
        }
        onChange={(text) => setTyped({ text, version: typed?.version ?? prompt.version })}
      />
      {conflict && <Note tone="warn">{text.promptConflict}</Note>}
      {fault !== undefined && <FaultNote fault={fault} />}
      <div class="row">
        <Button
          kind="primary"
          busy={busy}
          disabled={!dirty || shown.trim() === "" || shown.length > prompt.maxChars}
          onClick={() => void send({ action: "save", name, text: shown, version }, text.promptSaved)}
        >
          {text.savePrompt}
        </Button>
        <Button
          disabled={!prompt.edited && !dirty}
          onClick={() =>
            prompt.edited
              ? void send({ action: "reset", name, version }, text.promptReset)
              : setTyped(undefined)
          }
        >
          {text.resetPrompt}
        </Button>
        <Button kind="quiet" expanded={diff} onClick={() => setDiff(!diff)}>
          {diff ? text.hideDiff : text.showDiff}
        </Button>
      </div>
      {diff &&
        (shown === prompt.original ? (
          <p class="small muted">{text.noDiff}</p>
        ) : (
          <DiffView label={text.showDiff} lines={lineDiff(prompt.original, shown)} />
        ))}
    </div>
  );
}
