import { useState } from "preact/hooks";
import { commonWords } from "../i18n/common.ts";
import { say } from "../i18n/words.ts";
import { Button } from "./button.tsx";

/** A command to type in a terminal, with a button that copies it. */
export function Command({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  const words = say(commonWords);
  const copy = () => {
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), 2_000);
    });
  };
  return (
    <span class="command">
      <code>{text}</code>
      <Button
        small
        kind="quiet"
        icon={copied ? "check" : "copy"}
        label={`${words.copy}: ${text}`}
        onClick={copy}
      />
      <span class="visually-hidden" aria-live="polite">
        {copied ? words.copied : ""}
      </span>
    </span>
  );
}
