import { isPossiblePhoneNumber } from "libphonenumber-js/min";

/** Checks with the library cost microseconds each; a text may spend this many of them. */
const CHECKS_A_TEXT = 1_000;

/** Checks spent, by the scan of a text that they belong to. */
const checks = new WeakMap<object, number>();

/**
 * Whether an international number has a country code that exists and a length that its country uses (ITU-T E.164;
 * metadata of Google's libphonenumber). In a text with more numbers than anybody writes, those past the first thousand
 * count as possible: better one number hidden too many than seconds lost or a number let through.
 * @param value starts with `+`; separators and an extension allowed.
 * @param scan stands for the scan of one text, see `MatchContext.scan`.
 */
export function isPossiblePhone(value: string, scan: object): boolean {
  const spent = checks.get(scan) ?? 0;
  if (spent >= CHECKS_A_TEXT) return true;
  checks.set(scan, spent + 1);
  return isPossiblePhoneNumber(value);
}
