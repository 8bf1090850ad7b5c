/**
 * What time it is for the vault, where being wrong loses values: a clock that jumps ahead must not make everything old.
 */

const DAY_MS = 86_400_000;
/** A clock further ahead of the last known time is not believed at once. */
const MAX_STEP_MS = 7 * DAY_MS;
/** It is believed when it still says so at another start, this much later by its own account. */
const CONFIRMED_AFTER_MS = DAY_MS;

/** Stored with the vault. */
export interface KnownTime {
  /** Latest time that was believed, epoch milliseconds; never goes back. */
  high: number;
  /** When a clock far ahead was first and last seen, by itself. */
  suspect?: { first: number; last: number } | undefined;
}

/**
 * The time that may be believed at a start.
 * @param now what the clock says, epoch milliseconds
 * @param known as of the start before; undefined at the first
 */
export function believe(now: number, known: KnownTime | undefined): KnownTime {
  if (known === undefined) return { high: now };
  if (now <= known.high + MAX_STEP_MS) return { high: Math.max(now, known.high) };
  const { suspect } = known;
  // A clock that goes on from where it was seen, day after day: the machine was off for a while.
  if (suspect === undefined || now < suspect.last || now > suspect.last + MAX_STEP_MS)
    return { high: known.high, suspect: { first: now, last: now } };
  return now >= suspect.first + CONFIRMED_AFTER_MS
    ? { high: now }
    : { high: known.high, suspect: { first: suspect.first, last: now } };
}

/** Reads what {@link believe} made and a store kept; undefined when it is not that. */
export function readKnownTime(text: string | undefined): KnownTime | undefined {
  try {
    const value = JSON.parse(text ?? "null") as Partial<KnownTime> | null;
    if (typeof value?.high !== "number") return undefined;
    const { first, last } = value.suspect ?? {};
    return typeof first === "number" && typeof last === "number"
      ? { high: value.high, suspect: { first, last } }
      : { high: value.high };
  } catch {
    return undefined;
  }
}
