import type { ComponentChildren } from "preact";
import { commonWords } from "../i18n/common.ts";
import { say } from "../i18n/words.ts";
import type { Draft } from "../state/draft.ts";
import { Button } from "./button.tsx";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { FaultNote } from "./notes.tsx";

interface Props {
  draft: Draft;
  /** Name of the save button, e.g. "Save Privacy Router". */
  text: string;
  /** A reason why it cannot be saved now. */
  blocked?: string | undefined;
  children?: ComponentChildren;
}

/** Save and discard of a card, with what went wrong and the dialog for two writers. */
export function SaveBar({ draft, text, blocked, children }: Props) {
  const common = say(commonWords);
  return (
    <div class="save-bar">
      {draft.fault !== undefined && <FaultNote fault={draft.fault} />}
      <div class="card-foot">
        <Button
          kind="primary"
          busy={draft.busy}
          disabled={!draft.dirty || blocked !== undefined}
          onClick={() => void draft.save()}
        >
          {draft.busy ? common.saving : text}
        </Button>
        {draft.dirty && <Button onClick={draft.discard}>{common.discard}</Button>}
        <span class="small muted" aria-live="polite">
          {blocked ?? (draft.dirty ? common.unsaved : "")}
        </span>
        {children}
      </div>
      {draft.conflict !== undefined && <ConflictDialog draft={draft} clash={draft.conflict} />}
    </div>
  );
}
