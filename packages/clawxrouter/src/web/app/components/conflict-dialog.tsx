/** Two writers, one setting: shows what was, what they made of it and what the user made of it, and asks. */
import { useState } from "preact/hooks";
import { savingWords } from "../i18n/saving.ts";
import { say } from "../i18n/words.ts";
import type { Draft } from "../state/draft.ts";
import { at, type Edit, type Json, mergeLists } from "../state/edits.ts";
import { settings } from "../state/settings.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Segments } from "./segments.tsx";

type Choice = "theirs" | "mine" | "both";

export function ConflictDialog({ draft, clash }: { draft: Draft; clash: readonly Edit[] }) {
  const text = say(savingWords);
  const [choices, setChoices] = useState<Record<string, Choice>>({});
  const now = settings.value;
  const rows = clash.map((edit) => {
    const theirs = at(now, edit.path);
    const name = edit.path.join(".");
    const both = mergeLists(edit.before ?? [], theirs ?? [], edit.after ?? []);
    return { edit, theirs, both, name, choice: choices[name] ?? (both === undefined ? "mine" : "both") };
  });
  const save = () => {
    const chosen = rows.map(({ edit, theirs, both, choice }) => ({
      path: edit.path,
      before: theirs,
      after: choice === "theirs" ? theirs : choice === "both" ? both : edit.after,
    }));
    void draft.resolve(chosen);
  };
  return (
    <Dialog
      title={text.conflictTitle}
      onClose={draft.reopen}
      foot={
        <>
          <Button onClick={draft.reopen}>{text.keepEditing}</Button>
          <Button kind="primary" busy={draft.busy} onClick={save}>
            {text.saveChoice}
          </Button>
        </>
      }
    >
      <p class="muted">{text.conflictHelp}</p>
      {rows.map(({ edit, theirs, both, name, choice }) => (
        <div key={name} class="conflict">
          <h3 class="mono wrap-any">{name}</h3>
          <dl class="sides">
            <Side title={text.was} value={edit.before} />
            <Side title={text.theirs} value={theirs} />
            <Side title={text.mine} value={edit.after} />
            {both !== undefined && <Side title={text.both} value={both} />}
          </dl>
          <Segments
            label={text.choose(name)}
            value={choice}
            options={[
              ...(both === undefined ? [] : [{ value: "both" as const, text: text.both }]),
              { value: "mine" as const, text: text.mine },
              { value: "theirs" as const, text: text.theirs },
            ]}
            onChange={(next) => setChoices({ ...choices, [name]: next })}
          />
        </div>
      ))}
    </Dialog>
  );
}

function Side({ title, value }: { title: string; value: Json }) {
  const shown =
    Array.isArray(value) && value.every((item) => typeof item === "string")
      ? value.join(", ")
      : JSON.stringify(value);
  return (
    <div>
      <dt>{title}</dt>
      <dd class="mono wrap-any">{value === undefined || shown === "" ? say(savingWords).nothing : shown}</dd>
    </div>
  );
}
