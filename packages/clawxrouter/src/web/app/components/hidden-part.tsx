import { eventWords } from "../i18n/events.ts";
import { say } from "../i18n/words.ts";
import { Icon } from "./icon.tsx";

interface Props {
  type: string;
  level: "S2" | "S3";
  /** Tells hidden parts apart that are not the same. */
  mark?: string;
}

/** Stands in the place of something private. */
export function HiddenPart({ type, level, mark }: Props) {
  const text = say(eventWords);
  const name = `${type === "TEXT" ? text.wholePrivate : type}${mark === undefined ? "" : ` ${mark}`}`;
  return (
    <span class={`hidden-part ${level}`}>
      <Icon name="lock" size={12} />
      <span class="visually-hidden">{text.hidden(name)}</span>
      <span aria-hidden="true">{name}</span>
    </span>
  );
}
