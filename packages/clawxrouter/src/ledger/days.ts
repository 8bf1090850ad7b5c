/** Where days begin for a user, in whole hours of UTC: finer the ledger does not count. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Longer ranges are told in days of UTC, of which there are sums. */
const MOST_LOCAL_DAYS = 400;

/** @returns whether the host knows this IANA time zone */
export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/**
 * The days of a range: the first begins with the range, the others at midnight. Where midnight is not at a whole hour
 * of UTC (India), a day begins at the hour before it; where a day has no midnight (the clocks change then), as near to
 * it as can be.
 * @param from epoch milliseconds; the whole hour it is in belongs to the range
 * @param zone IANA time zone
 */
export function dayStarts(from: number, to: number, zone: string): number[] {
  const first = from - (from % HOUR);
  const midnights = to - from > MOST_LOCAL_DAYS * DAY || zone === "UTC" ? utcMidnights : zoneMidnights(zone);
  const starts = [first];
  for (let at = midnights(first); at < to; at = midnights(at)) starts.push(at);
  return starts;
}

/** The next midnight after a time. */
function utcMidnights(at: number): number {
  return at - (at % DAY) + DAY;
}

function zoneMidnights(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  /** What a clock of the zone shows, as if it were UTC. */
  const shown = (at: number): number => {
    const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    return Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute);
  };
  return (at) => {
    // Half an hour on: a start that was rounded down to the hour still belongs to the day before.
    const local = shown(at + HOUR - 1);
    const wanted = local - (local % DAY) + DAY;
    const guess = wanted - (shown(wanted) - wanted);
    const next = wanted - (shown(guess) - guess);
    const whole = next - (next % HOUR);
    return whole > at ? whole : at + DAY;
  };
}
