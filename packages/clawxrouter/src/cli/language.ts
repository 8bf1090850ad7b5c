import { configErrorInChinese } from "../web/chinese/config-faults.ts";
import { reasonInChinese } from "../web/chinese/reasons.ts";
import { setupInChinese } from "../web/chinese/setup-notes.ts";

/**
 * The language of what the commands print: Chinese where the terminal's locale says so, else English. Machine-readable
 * output (`--json`), names of settings and commands are the same in both.
 */

/**
 * The first of LC_ALL, LC_MESSAGES and LANG that is set decides (POSIX.1-2024, 8.2); where none is, as on Windows, the
 * system's own locale.
 */
export function isChinese(
  env: Readonly<Record<string, string | undefined>> = process.env,
  system: () => string = () => new Intl.DateTimeFormat().resolvedOptions().locale,
): boolean {
  return /^zh\b|^zh_/i.test(env.LC_ALL || env.LC_MESSAGES || env.LANG || system());
}

/** One of two texts of the same meaning. */
export function say(en: string, zh: string): string {
  return isChinese() ? zh : en;
}

/** Why a decision came out as it did. */
export function sayReason(reason: string): string {
  return say(reason, reasonInChinese(reason));
}

/** What setup cannot do, and what to do about it. */
export function sayProblem(problem: string): string {
  return say(problem, setupInChinese(problem));
}

/** Message of a `ConfigError`. */
export function sayConfigError(message: string): string {
  return say(message, configErrorInChinese(message));
}
