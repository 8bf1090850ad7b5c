/** How every bench ends: its figures beside the goals of its issue, `N passed, N failed`, exit code 1 when one is short. */

/** One goal, with what was measured. */
export interface Check {
  readonly what: string;
  readonly goal: string;
  readonly figure: string;
  readonly ok: boolean;
}

/** A figure that must reach `goal`. Nothing measured (NaN) is short. */
export function atLeast(what: string, value: number, goal: number, unit: string): Check {
  return check(what, ">=", goal, unit, value >= goal, shown(value, Math.floor));
}

/** A figure that must not exceed `goal`. Nothing measured (NaN) is short. */
export function atMost(what: string, value: number, goal: number, unit: string): Check {
  return check(what, "<=", goal, unit, value <= goal, shown(value, Math.ceil));
}

/** Something that is or is not so. */
export function holds(what: string, ok: boolean, figure = ok ? "yes" : "no"): Check {
  return { what, goal: "yes", figure, ok };
}

function check(what: string, sign: string, goal: number, unit: string, ok: boolean, figure: string): Check {
  const suffix = unit === "" ? "" : ` ${unit}`;
  return { what, goal: `${sign} ${goal}${suffix}`, figure: figure + suffix, ok };
}

/** Rounded towards the bad side, so that what is short never looks reached: a recall of 94.96 % is not shown as 95 %. */
function shown(value: number, round: (value: number) => number): string {
  if (Number.isNaN(value)) return "nothing measured,";
  const scale = Math.abs(value) < 1 ? 10_000 : Math.abs(value) < 10 ? 100 : 10;
  return String(round(value * scale) / scale);
}

/** Share of `whole` in percent; NaN of nothing. */
export function share(part: number, whole: number): number {
  return whole === 0 ? Number.NaN : (100 * part) / whole;
}

/** The goals beside the figures, and the closing line; sets the exit code. Nothing checked is a failure. */
export function printVerdict(checks: readonly Check[]): void {
  const short = checks.filter((entry) => !entry.ok).length;
  console.log("\nMust hold");
  console.table(
    checks.map(({ what, goal, figure, ok }) => ({ what, goal, figure, "": ok ? "ok" : "SHORT" })),
  );
  console.log(`${checks.length - short} passed, ${short} failed`);
  if (short > 0 || checks.length === 0) process.exitCode = 1;
}
