import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";

/** The host's Commander command, without depending on Commander. */
export type Command = Parameters<Parameters<OpenClawPluginApi["registerCli"]>[0]>[0]["program"];

export function print(line = ""): void {
  process.stdout.write(`${line}\n`);
}

/** Machine-readable output: one JSON document. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Ends a command with a message and exit code 1, without a stack trace. */
export function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

/** A table with aligned columns; wide (CJK) characters count two. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, width(cell));
    });
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell + " ".repeat((widths[i] ?? 0) - width(cell)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function width(text: string): number {
  let sum = 0;
  for (const char of text)
    sum +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/.test(
        char,
      )
        ? 2
        : 1;
  return sum;
}
