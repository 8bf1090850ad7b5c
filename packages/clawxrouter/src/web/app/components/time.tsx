import { ago, dayAndTime, fullTime } from "../i18n/format.ts";
import { now } from "../state/now.ts";

/** How long ago, with the whole time on hover and for a machine. */
export function Ago({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={fullTime(at)}>
      {ago(at, now.value)}
    </time>
  );
}

export function When({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={fullTime(at)}>
      {dayAndTime(at)}
    </time>
  );
}
