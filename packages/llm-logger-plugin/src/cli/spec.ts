/** Commands described once, hung into the host's command line and into the stand-alone `llm-logs` bin. */
import type { LogLocation } from "../store/paths.ts";
import type { RetentionPolicy } from "../store/retention.ts";

export interface Option {
  /** Shown in help: `--since <time>`. */
  value?: string;
  short?: string;
  help: string;
}

export interface CommandContext {
  location: LogLocation;
  /** The configured retention, for `prune`. */
  retention: RetentionPolicy;
  /** Positional arguments. */
  args: string[];
  /** Options by long name; flags are `true`. */
  options: Record<string, string | true | undefined>;
  /** Writes text to standard output; control characters, which a model or a server may have sent, become visible. */
  out(text: string): void;
  /** Writes to standard output what another program reads: byte for byte, unless a person is looking. */
  raw(text: string): void;
  /** Resolves when standard output has taken what was written. */
  drained(): Promise<void>;
  /** Writes to standard error: progress, warnings. */
  err(text: string): void;
  /** Standard error is a terminal: progress is welcome. */
  tty: boolean;
  /** Width of the terminal on standard output; undefined when it is none. */
  columns: number | undefined;
  /** Ends long commands (`tail -f`). */
  signal: AbortSignal;
}

export interface Command {
  name: string;
  /** Positionals for help: `<call> [call]`. */
  usage: string;
  summary: string;
  options: Record<string, Option>;
  /** @returns exit code. */
  run(context: CommandContext): Promise<number>;
}

/** A mistake of the user: shown without a stack, exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** A string option, undefined when absent. */
export function text(context: CommandContext, name: string): string | undefined {
  const value = context.options[name];
  return typeof value === "string" ? value : undefined;
}

/** One of the words that an option takes. @throws UsageError naming them. */
export function choice<T extends string>(
  context: CommandContext,
  name: string,
  choices: readonly T[],
): T | undefined {
  const value = text(context, name);
  if (value === undefined) return undefined;
  const chosen = choices.find((word) => word === value);
  if (chosen === undefined)
    throw new UsageError(`--${name} "${value}" is none of ${choices.join(", ")} / 无此选项值，可用值见上`);
  return chosen;
}

/** A whole number from 1 on. @throws UsageError when it is none. */
export function count(context: CommandContext, name: string): number | undefined {
  const value = number(context, name);
  if (value !== undefined && (!Number.isInteger(value) || value < 1))
    throw new UsageError(
      `--${name} wants a whole number from 1 on, got "${text(context, name)}" / 需要不小于 1 的整数`,
    );
  return value;
}

/** A number option. @throws UsageError when it is none. */
export function number(context: CommandContext, name: string): number | undefined {
  const value = text(context, name);
  if (value === undefined) return undefined;
  const parsed = Number(value);
  if (value.trim() === "" || !Number.isFinite(parsed) || parsed < 0)
    throw new UsageError(`--${name} wants a number from 0 on, got "${value}" / 需要不小于 0 的数`);
  return parsed;
}
