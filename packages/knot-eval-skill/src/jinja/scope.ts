/** Variables visible at one point of a template; a loop body or macro gets a scope of its own. */
export class Scope {
  readonly #parent: Scope | undefined;
  readonly #variables = new Map<string, unknown>();

  constructor(parent?: Scope, variables: Readonly<Record<string, unknown>> = {}) {
    this.#parent = parent;
    for (const [name, value] of Object.entries(variables)) this.#variables.set(name, value);
  }

  get(name: string): unknown {
    if (this.#variables.has(name)) return this.#variables.get(name);
    return this.#parent?.get(name);
  }

  set(name: string, value: unknown): void {
    this.#variables.set(name, value);
  }

  /** Names set in this very scope: what an import sees. */
  own(): Record<string, unknown> {
    return Object.fromEntries(this.#variables);
  }
}

/** `namespace(...)`: the one object a template may assign attributes of. */
export class Namespace {
  readonly values: Map<string, unknown>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.values = new Map(Object.entries(values));
  }
}
