import type { Said } from "../../packages/clawxrouter/src/selftest/paths.ts";

/** How one scene went. */
export interface Row {
  scene: string;
  /** Generated values that were in play. */
  values: number;
  /** Requests by cloud. */
  bodies: Record<string, number>;
  /** Names of the values that were seen. */
  leaked: string[];
  /** Level and kind of those that were not. */
  missed: string[];
  limit: string | undefined;
  said: string;
  turns: number;
  /** Turns that ended with a reason instead of an answer. */
  reasons: number;
  seconds: number;
  faults: string[];
}

/** What a user can do something with: it names what is missing, or what was withheld. */
const CLEAR =
  /ClawXRouter|allowConversationAccess|local model|本地模型|proxy is not running|代理没有运行|privacy|隐私/i;

/** `answer`, `reason`, or undefined: the turn ended in silence, a time-out or words that explain nothing. */
export function reasonOf({ text, error }: Said): "answer" | "reason" | undefined {
  if (text.trim() !== "") return CLEAR.test(text) && !/ answers: /.test(text) ? "reason" : "answer";
  return CLEAR.test(error) ? "reason" : undefined;
}

/** Scene x values x cloud bodies x leaked, and the totals beside what issue 4 asks for. */
export function printTable(
  title: string,
  rows: readonly Row[],
  plugin: boolean,
  refused: Readonly<Record<string, number>>,
): void {
  const cells = rows.map((row) => [
    row.scene,
    String(row.values),
    Object.entries(row.bodies)
      .map(([model, count]) => `${model} ${count}`)
      .join(", ") || "none",
    row.leaked.length === 0 ? "0" : `${row.leaked.length}${row.limit === undefined ? "" : " (limit)"}`,
    `${row.turns - row.reasons}+${row.reasons}`,
    `${row.seconds.toFixed(1)} s`,
    row.faults.length === 0
      ? plugin || row.missed.length === 0
        ? "ok"
        : `ok, not seen: ${row.missed.join(", ")}`.slice(0, 200)
      : `FAULT ${row.faults.join("; ").slice(0, 300)}`,
  ]);
  const head = ["scene", "values", "cloud bodies", "leaked", "answers+reasons", "time", ""];
  const widths = head.map((word, i) =>
    Math.max(word.length, ...cells.slice(0).map((row) => (i === 6 ? 0 : (row[i]?.length ?? 0)))),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd();
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  const counted = rows.filter(({ limit }) => limit === undefined);
  const least = Math.min(...rows.map(({ values }) => values));
  const leaked = counted.reduce((total, row) => total + row.leaked.length, 0);
  console.log(
    [
      "",
      title,
      line(head),
      ...cells.map(line),
      "",
      `kinds of path      ${rows.length} (wanted: >= 24)`,
      `values a path      >= ${least} (wanted: >= 40), ${sum((row) => row.values)} in all`,
      `cloud bodies       ${sum((row) => Object.values(row.bodies).reduce((a, b) => a + b, 0))} searched`,
      plugin
        ? `values leaked      ${leaked} (wanted: 0)`
        : `scenes that leak   ${rows.filter((row) => row.leaked.length > 0).length} of ${rows.length} (wanted: all), ${leaked} values`,
      `turns              ${sum((row) => row.turns)}: ${sum((row) => row.turns - row.reasons)} answers, ${sum((row) => row.reasons)} clear reasons`,
      `other hosts tried  ${
        Object.entries(refused)
          .map(([host, count]) => `${host} ${count}`)
          .join(", ") || "none"
      } (refused by the harness)`,
      `scenes with faults ${rows.filter((row) => row.faults.length > 0).length}`,
      "",
    ].join("\n"),
  );
}
