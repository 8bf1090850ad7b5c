import type { Check } from "./types.ts";

/** A figure that must reach `goal`. Nothing measured (NaN) is short. */
export function atLeast(what: string, value: number, goal: number, unit: string): Check {
  return check(what, ">=", goal, unit, value >= goal, shown(value, Math.floor));
}

/** A figure that must not exceed `goal`. Nothing measured (NaN) is short. */
export function atMost(what: string, value: number, goal: number, unit: string): Check {
  return check(what, "<=", goal, unit, value <= goal, shown(value, Math.ceil));
}

function check(what: string, sign: string, goal: number, unit: string, ok: boolean, figure: string): Check {
  const suffix = unit === "" ? "" : ` ${unit}`;
  return { what, goal: `${sign} ${goal}${suffix}`, figure: figure + suffix, ok };
}

/** Rounded towards the bad side, so that what is short never looks reached: a recall of 94.96 % is not shown as 95 %. */
function shown(value: number, round: (value: number) => number): string {
  if (Number.isNaN(value)) return "nothing measured,";
  const scale = Math.abs(value) < 10 ? 100 : 10;
  return String(round(value * scale) / scale);
}

/** Share of `whole` in percent; NaN of nothing. */
export function share(part: number, whole: number): number {
  return whole === 0 ? Number.NaN : (100 * part) / whole;
}

/** The goals beside the figures, and the closing line. @returns how many are short */
export function printVerdict(checks: readonly Check[]): number {
  const short = checks.filter((entry) => !entry.ok).length;
  console.log("\nMust hold");
  console.table(
    checks.map(({ what, goal, figure, ok }) => ({ what, goal, figure, "": ok ? "ok" : "SHORT" })),
  );
  console.log(`${checks.length - short} passed, ${short} failed`);
  return short;
}
