import { eventWords } from "../i18n/events.ts";
import { say } from "../i18n/words.ts";
import type { Revealed } from "../state/revealed.ts";
import { Button } from "./button.tsx";

export function RevealButton({ revealed: { original, busy, toggle } }: { revealed: Revealed }) {
  const text = say(eventWords);
  return (
    <Button small kind="quiet" icon={original === undefined ? "eye" : "eyeOff"} busy={busy} onClick={toggle}>
      {original === undefined ? text.reveal : text.hide}
    </Button>
  );
}
