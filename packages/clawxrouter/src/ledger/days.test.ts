import { describe, expect, it } from "vitest";
import { dayStarts, isZone } from "./days.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (starts: number[]) => starts.map((at) => new Date(at).toISOString().slice(0, 16));
const utc = (text: string) => Date.parse(`${text}Z`);

describe("days begin", () => {
  it("at midnight of the user's clock, the first one with the range", () => {
    const [from, to] = [utc("2026-11-27T14:23"), utc("2026-11-30T14:24")];
    expect(iso(dayStarts(from, to, "UTC"))).toEqual([
      "2026-11-27T14:00",
      "2026-11-28T00:00",
      "2026-11-29T00:00",
      "2026-11-30T00:00",
    ]);
    expect(iso(dayStarts(from, to, "Asia/Shanghai"))).toEqual([
      "2026-11-27T14:00",
      "2026-11-27T16:00",
      "2026-11-28T16:00",
      "2026-11-29T16:00",
    ]);
    expect(iso(dayStarts(from, to, "America/New_York")).slice(1)).toEqual([
      "2026-11-28T05:00",
      "2026-11-29T05:00",
      "2026-11-30T05:00",
    ]);
    // Half past, which the ledger does not know: the hour before.
    expect(iso(dayStarts(from, to, "Asia/Kolkata")).slice(1, 3)).toEqual([
      "2026-11-27T18:00",
      "2026-11-28T18:00",
    ]);
  });

  it("once a day when the clocks change, also where midnight itself is left out", () => {
    expect(
      iso(dayStarts(utc("2026-03-28T12:00"), utc("2026-03-31T12:00"), "Europe/Berlin")).slice(1),
    ).toEqual(["2026-03-28T23:00", "2026-03-29T22:00", "2026-03-30T22:00"]);
    expect(
      iso(dayStarts(utc("2026-10-24T12:00"), utc("2026-10-27T12:00"), "Europe/Berlin")).slice(1),
    ).toEqual(["2026-10-24T22:00", "2026-10-25T23:00", "2026-10-26T23:00"]);
    for (const zone of [
      "Asia/Beirut",
      "Africa/Cairo",
      "America/Santiago",
      "Asia/Kolkata",
      "Australia/Lord_Howe",
      "Pacific/Chatham",
    ]) {
      const [from, to] = [utc("2026-01-01T09:30"), utc("2026-12-31T09:30")];
      const starts = dayStarts(from, to, zone);
      expect(starts.length, zone).toBe(365);
      for (const [i, at] of starts.entries()) {
        expect(at % HOUR).toBe(0);
        if (i > 1)
          expect(Math.abs(at - (starts[i - 1] ?? 0) - DAY), `${zone} ${iso([at])}`).toBeLessThanOrEqual(HOUR);
      }
    }
  });

  it("in UTC where a range is long", () => {
    expect(dayStarts(0, 1_000 * DAY, "Asia/Shanghai")).toHaveLength(1_000);
  });

  it("in zones that there are", () => {
    expect(["UTC", "Asia/Shanghai", "Etc/GMT+5"].every(isZone)).toBe(true);
    expect(["", "Mars/Olympus", "../etc", "__proto__"].some(isZone)).toBe(false);
  });
});
