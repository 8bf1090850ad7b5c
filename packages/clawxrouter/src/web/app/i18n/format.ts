/** Numbers, money and times as the language of the page writes them. Every function re-runs on a change of language. */
import { locale } from "./language.ts";

/** 12,345 */
export function count(value: number): string {
  return new Intl.NumberFormat(locale.value).format(value);
}

/** 12.3K, 1.2万 */
export function compact(value: number): string {
  return new Intl.NumberFormat(locale.value, { notation: "compact", maximumFractionDigits: 1 }).format(value);
}

/** USD: two digits from a dollar on, enough to see something below. */
export function usd(value: number): string {
  const small = value !== 0 && Math.abs(value) < 1;
  return new Intl.NumberFormat(locale.value, {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: 2,
    maximumFractionDigits: small ? 4 : 2,
  }).format(value);
}

/** @param share 0..1 */
export function percent(share: number): string {
  return new Intl.NumberFormat(locale.value, { style: "percent", maximumFractionDigits: 1 }).format(share);
}

/** 0.4 ms, 12 ms, 1.3 s */
export function duration(ms: number): string {
  if (ms >= 1000) return `${number(ms / 1000, 1)} s`;
  return `${number(ms, ms < 10 ? 1 : 0)} ms`;
}

function number(value: number, digits: number): string {
  return new Intl.NumberFormat(locale.value, { maximumFractionDigits: digits }).format(value);
}

/** 14:03:22 */
export function clock(at: number): string {
  return new Intl.DateTimeFormat(locale.value, { timeStyle: "medium", hourCycle: "h23" }).format(at);
}

/** 30 Nov, 14:03 */
export function dayAndTime(at: number): string {
  return new Intl.DateTimeFormat(locale.value, {
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(at);
}

/** With the year and the second, for a tooltip or an export. */
export function fullTime(at: number): string {
  return new Intl.DateTimeFormat(locale.value, {
    dateStyle: "medium",
    timeStyle: "medium",
    hourCycle: "h23",
  }).format(at);
}

/** 5 minutes ago, 昨天 */
export function ago(at: number, now: number): string {
  const seconds = Math.min(0, Math.round((at - now) / 1000));
  const relative = new Intl.RelativeTimeFormat(locale.value, { numeric: "auto" });
  if (seconds > -60) return relative.format(seconds, "second");
  if (seconds > -3_600) return relative.format(Math.round(seconds / 60), "minute");
  if (seconds > -86_400) return relative.format(Math.round(seconds / 3_600), "hour");
  return relative.format(Math.round(seconds / 86_400), "day");
}

/** The time zone of the browser, in which the page tells times. */
export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Label of a step on a time axis: an hour as 14:00, a day as 30 Nov. */
export function bucketTime(at: number, step: "hour" | "day"): string {
  const options: Intl.DateTimeFormatOptions =
    step === "hour"
      ? { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }
      : { month: "short", day: "numeric" };
  return new Intl.DateTimeFormat(locale.value, options).format(at);
}
