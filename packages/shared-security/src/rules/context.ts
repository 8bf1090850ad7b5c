import type { MatchContext } from "./rule.ts";

/** The text before the value, at most `length` code units, on the same line. */
export function lineBefore(context: MatchContext, length: number): string {
  const from = Math.max(0, context.start - length);
  const before = context.text.slice(from, context.start);
  return before.slice(before.lastIndexOf("\n") + 1);
}

/** The text before the value, at most `length` code units, over line ends. */
export function textBefore(context: MatchContext, length: number): string {
  return context.text.slice(Math.max(0, context.start - length), context.start);
}

/** The text after the value, at most `length` code units. */
export function textAfter(context: MatchContext, length: number): string {
  return context.text.slice(context.end, context.end + length);
}

/** ASCII digits of a number without its separators. */
export function digitsOf(value: string): string {
  return value.replace(/\D/g, "");
}
