import { type Template, TemplateError } from "./ast.ts";
import { DATA_FILTERS, toDict } from "./filters-data.ts";
import { TEXT_FILTERS } from "./filters-text.ts";
import { parseTemplate, type SyntaxOptions } from "./parser.ts";
import { PythonError, str, toNumber } from "./python.ts";
import { argument, type CallArgs, type Filter, type TemplateHost, type Test } from "./runtime.ts";
import { Namespace, Scope } from "./scope.ts";
import { StatementRunner } from "./statements.ts";
import { TESTS } from "./tests.ts";

/** Reads another template by name, for include, import and extends; undefined when there is none. */
export type TemplateLoader = (name: string) => string | undefined;

export interface EnvironmentOptions extends SyntaxOptions {
  autoescape?: boolean;
  loader?: TemplateLoader;
  filters?: Record<string, Filter>;
  tests?: Record<string, Test>;
}

function range(call: CallArgs): number[] {
  const [a, b, c] = call.args.map((value) => toNumber(value));
  const [start, stop, step] = b === undefined ? [0, a ?? 0, 1] : [a ?? 0, b, c ?? 1];
  if (step === 0) throw new PythonError("ValueError", "range() arg 3 must not be zero");
  const size = Math.max(0, Math.ceil((stop - start) / step));
  if (size > 100_000) throw new PythonError("OverflowError", "range too big: the maximum is 100000 items");
  return Array.from({ length: size }, (_, i) => start + i * step);
}

/** cycler("odd", "even"): next() on each call. */
function cycler(call: CallArgs): Record<string, unknown> {
  let at = 0;
  const items = call.args;
  const cycle: Record<string, unknown> = {
    current: items[0],
    next: () => {
      const value = items[at % items.length];
      at += 1;
      cycle.current = items[at % items.length];
      return value;
    },
    reset: () => {
      at = 0;
      cycle.current = items[0];
      return null;
    },
  };
  return cycle;
}

/** joiner(", "): empty the first time, the separator afterwards. */
function joiner(call: CallArgs): () => string {
  const separator = str(argument(call, 0, "sep", ", "));
  let used = false;
  return () => {
    const out = used ? separator : "";
    used = true;
    return out;
  };
}

const GLOBALS: Record<string, unknown> = {
  range,
  dict: toDict,
  namespace: (call: CallArgs) => new Namespace(toDict(call)),
  cycler,
  joiner,
};

/**
 * Renders Jinja2 templates (as Jinja2 3.1 does with its default settings).
 *
 * nunjucks reads the template; this evaluator runs its tree directly with Python's value semantics. No code is
 * generated from a template, and a template sees the given data only.
 */
export class JinjaEnvironment implements TemplateHost {
  readonly options: EnvironmentOptions;
  readonly filters: Record<string, Filter>;
  readonly tests: Record<string, Test>;
  readonly globals = GLOBALS;
  readonly #cache = new Map<string, Template>();

  constructor(options: EnvironmentOptions = {}) {
    this.options = options;
    this.filters = { ...DATA_FILTERS, ...TEXT_FILTERS, ...options.filters };
    this.tests = { ...TESTS, ...options.tests };
  }

  /** @throws TemplateError when it cannot be read */
  parse(source: string, name = "<template>"): Template {
    return { name, root: parseTemplate(source, name, this.options) };
  }

  /** A template by name through the loader; undefined when the loader has none. */
  load(name: string): Template | undefined {
    const known = this.#cache.get(name);
    if (known) return known;
    const source = this.options.loader?.(name);
    if (source === undefined) return undefined;
    const template = this.parse(source, name);
    this.#cache.set(name, template);
    return template;
  }

  /** Renders a template source. @throws TemplateError with template name and line */
  renderString(source: string, data: Readonly<Record<string, unknown>>, name = "<template>"): string {
    return this.render(this.parse(source, name), data);
  }

  render(template: Template, data: Readonly<Record<string, unknown>>): string {
    const runner = new StatementRunner(this, template);
    return runner.renderRoot(new Scope(undefined, data));
  }

  /** Finds a template or fails where it was asked for. @throws TemplateError */
  require(name: string, from: string, line: number): Template {
    const template = this.load(name);
    if (!template) throw new TemplateError(`template '${name}' not found`, from, line);
    return template;
  }
}
