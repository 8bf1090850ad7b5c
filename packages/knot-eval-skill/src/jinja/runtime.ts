import type { Template } from "./ast.ts";
import type { Dict } from "./python.ts";

/** Arguments of a filter, test or function call. */
export interface CallArgs {
  args: readonly unknown[];
  kwargs: Readonly<Dict>;
}

/** What filters may ask the running template for. */
export interface RenderContext {
  autoescape: boolean;
  /** `foo.bar` and `foo["bar"]` as the template sees them. */
  attribute(value: unknown, name: unknown): unknown;
  filter(name: string, value: unknown, call: CallArgs): unknown;
  test(name: string, value: unknown, call: CallArgs): boolean;
}

export type Filter = (value: unknown, call: CallArgs, context: RenderContext) => unknown;
export type Test = (value: unknown, call: CallArgs, context: RenderContext) => boolean;

/** A callable a template can call: macros, range, namespace, loop.cycle. */
export type TemplateFunction = (call: CallArgs) => unknown;

/** The argument at a position or with a name, or the default. */
export function argument(call: CallArgs, position: number, name: string, fallback?: unknown): unknown {
  if (position < call.args.length) return call.args[position];
  return Object.hasOwn(call.kwargs, name) ? call.kwargs[name] : fallback;
}

/** What running statements ask of their environment. */
export interface TemplateHost {
  readonly options: { autoescape?: boolean };
  readonly filters: Readonly<Record<string, Filter>>;
  readonly tests: Readonly<Record<string, Test>>;
  readonly globals: Readonly<Record<string, unknown>>;
  load(name: string): Template | undefined;
  /** @throws TemplateError at the place that asked */
  require(name: string, from: string, line: number): Template;
}
