import { child, list, type Node, optional, type Template, TemplateError } from "./ast.ts";
import { type Blocks, collectBlocks, LoopControl } from "./blocks.ts";
import { CAPTURED, ExpressionEvaluator, getItem } from "./expressions.ts";
import { escapeHtml } from "./filters-text.ts";
import { Loop } from "./loop.ts";
import { iterate, Markup, PyTuple, PythonError, str, truthy } from "./python.ts";
import type { CallArgs, TemplateFunction, TemplateHost } from "./runtime.ts";
import { Namespace, Scope } from "./scope.ts";

const MAX_DEPTH = 120;

/** Runs the statements of one template (and, through `extends`, of its parents). */
export class StatementRunner {
  readonly #env: TemplateHost;
  readonly #expressions: ExpressionEvaluator;
  readonly #blocks: Blocks;
  readonly #depth: number;
  #template: Template;
  #out: string[] = [];

  constructor(env: TemplateHost, template: Template, depth = 0, blocks: Blocks = new Map()) {
    this.#env = env;
    this.#template = template;
    this.#depth = depth;
    this.#blocks = blocks;
    this.#expressions = new ExpressionEvaluator(
      { filters: env.filters, tests: env.tests, globals: env.globals },
      env.options.autoescape ?? false,
    );
    if (depth > MAX_DEPTH)
      throw new TemplateError("templates include each other without end", template.name, undefined);
  }

  renderRoot(scope: Scope): string {
    collectBlocks(this.#template.root, this.#template, this.#blocks);
    const parent = (this.#template.root.children ?? []).find((node) => node.typename === "Extends");
    scope.set("self", this.#self(scope));
    if (!parent) return this.#capture(() => this.#runAll(this.#template.root.children ?? [], scope));
    // A child template gives its blocks and top-level names; what it writes outside of blocks is dropped.
    const name = this.#guard(parent, () => str(this.#value(child(parent, "template"), scope)));
    this.#capture(() =>
      this.#runAll(
        (this.#template.root.children ?? []).filter(
          (n) => n.typename !== "Extends" && n.typename !== "Block",
        ),
        scope,
      ),
    );
    const base = this.#env.require(name, this.#template.name, parent.lineno + 1);
    return new StatementRunner(this.#env, base, this.#depth + 1, this.#blocks).renderRoot(scope);
  }

  #capture(run: () => void): string {
    const before = this.#out;
    this.#out = [];
    try {
      run();
      return this.#out.join("");
    } finally {
      this.#out = before;
    }
  }

  #value(node: Node, scope: Scope): unknown {
    return this.#expressions.evaluate(node, scope);
  }

  /** Adds template and line to whatever goes wrong inside. */
  #guard<T>(node: Node, run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (error instanceof TemplateError || error instanceof LoopControl) throw error;
      throw new TemplateError(
        error instanceof Error ? error.message : String(error),
        this.#template.name,
        node.lineno + 1,
      );
    }
  }

  #runAll(nodes: readonly Node[], scope: Scope): void {
    for (const node of nodes) this.#guard(node, () => this.#run(node, scope));
  }

  #body(node: Node, name: string, scope: Scope): void {
    const body = optional(node, name);
    if (body) this.#runAll(body.children ?? [body], scope);
  }

  #print(value: unknown): void {
    this.#out.push(this.#expressions.autoescape ? escapeHtml(value).text : str(value));
  }

  #captured(text: string): unknown {
    return this.#expressions.autoescape ? new Markup(text) : text;
  }

  #run(node: Node, scope: Scope): void {
    switch (node.typename) {
      case "Output":
        for (const part of node.children ?? []) {
          if (part.typename === "TemplateData") this.#out.push(String(part.value));
          else this.#guard(part, () => this.#print(this.#value(part, scope)));
        }
        return;
      case "If":
        if (truthy(this.#value(child(node, "cond"), scope))) this.#body(node, "body", scope);
        else {
          const otherwise = optional(node, "else_");
          if (otherwise)
            this.#runAll(otherwise.typename === "If" ? [otherwise] : (otherwise.children ?? []), scope);
        }
        return;
      case "For":
        this.#for(node, scope, this.#value(child(node, "iter"), scope), 1);
        return;
      case "Break":
      case "Continue":
        throw new LoopControl(node.typename);
      case "Assign":
        this.#assign(list(node, "targets"), this.#value(child(node, "value"), scope), scope);
        return;
      case "AssignBlock": {
        const text = this.#captured(this.#capture(() => this.#body(node, "body", scope)));
        this.#assign(list(node, "targets"), this.#filtered(node, text, scope), scope);
        return;
      }
      case "FilterBlock": {
        const text = this.#captured(this.#capture(() => this.#body(node, "body", new Scope(scope))));
        this.#print(this.#filtered(node, text, scope));
        return;
      }
      case "With": {
        const inner = new Scope(scope);
        const values = list(node, "values").map((value) => this.#value(value, scope));
        for (const [i, target] of list(node, "targets").entries()) this.#assign([target], values[i], inner);
        this.#body(node, "body", inner);
        return;
      }
      case "Do":
        this.#value(child(node, "expression"), scope);
        return;
      case "Autoescape": {
        const before = this.#expressions.autoescape;
        this.#expressions.autoescape = truthy(this.#value(child(node, "enabled"), scope));
        this.#body(node, "body", scope);
        this.#expressions.autoescape = before;
        return;
      }
      case "Macro":
        scope.set(
          String(child(node, "name").value),
          this.#macro(child(node, "args").children ?? [], child(node, "body"), scope),
        );
        return;
      case "CallBlock":
        this.#callBlock(node, scope);
        return;
      case "Block":
        this.#block(String(child(node, "name").value), 0, scope);
        return;
      case "Include":
        this.#include(node, scope);
        return;
      case "Import":
        scope.set(String(child(node, "target").value), this.#module(node, scope));
        return;
      case "FromImport":
        this.#fromImport(node, scope);
        return;
      case "Extends":
        return;
      default:
        throw new PythonError("TemplateSyntaxError", `unsupported statement ${node.typename}`);
    }
  }

  #filtered(node: Node, text: unknown, scope: Scope): unknown {
    const holder = new Scope(scope, { [CAPTURED]: text });
    return this.#value(child(node, "filtered"), holder);
  }

  #assign(targets: readonly Node[], value: unknown, scope: Scope): void {
    const [only] = targets;
    if (targets.length === 1 && only) {
      this.#assignOne(only, value, scope);
      return;
    }
    const items = iterate(value);
    if (items.length !== targets.length)
      throw new PythonError(
        "ValueError",
        `cannot unpack ${items.length} value(s) into ${targets.length} name(s)`,
      );
    for (const [i, target] of targets.entries()) this.#assignOne(target, items[i], scope);
  }

  #assignOne(target: Node, value: unknown, scope: Scope): void {
    if (target.typename === "Symbol") scope.set(String(target.value), value);
    else if (target.typename === "Group" || target.typename === "Tuple")
      this.#assign(target.children ?? [], value, scope);
    else if (target.typename === "Attribute") {
      const holder = this.#value(child(target, "target"), scope);
      if (!(holder instanceof Namespace))
        throw new PythonError("TemplateRuntimeError", "cannot assign attribute on non-namespace object");
      holder.values.set(String(target.name), value);
    } else throw new PythonError("TemplateSyntaxError", "cannot assign to this expression");
  }

  #for(node: Node, scope: Scope, source: unknown, depth: number): void {
    const names = list(node, "names");
    const condition = optional(node, "filter");
    const items = iterate(source).filter((item) => {
      if (!condition) return true;
      const probe = new Scope(scope);
      this.#assign(names, item, probe);
      return truthy(this.#value(condition, probe));
    });
    if (items.length === 0) {
      this.#body(node, "otherwise", scope);
      return;
    }
    const recurse =
      node.recursive === true
        ? (inner: unknown) => this.#captured(this.#capture(() => this.#for(node, scope, inner, depth + 1)))
        : undefined;
    const loop = new Loop(items, depth, recurse);
    for (const [index, item] of items.entries()) {
      loop.moveTo(index);
      const inner = new Scope(scope, { loop });
      this.#assign(names, item, inner);
      try {
        this.#body(node, "body", inner);
      } catch (error) {
        if (!(error instanceof LoopControl)) throw error;
        if (error.kind === "Break") return;
      }
    }
  }

  /** A macro closes over the scope it stands in; defaults are evaluated at each call. */
  #macro(params: readonly Node[], body: Node, scope: Scope): TemplateFunction {
    const names: { name: string; fallback: Node | undefined }[] = [];
    for (const param of params) {
      if (param.typename === "KeywordArgs") {
        for (const pair of param.children ?? [])
          names.push({ name: String(child(pair, "key").value), fallback: child(pair, "value") });
      } else names.push({ name: String(param.value), fallback: undefined });
    }
    return (call: CallArgs) => {
      const inner = new Scope(scope);
      const rest: Record<string, unknown> = { ...call.kwargs };
      for (const [i, { name, fallback }] of names.entries()) {
        const given = i < call.args.length ? call.args[i] : rest[name];
        const isGiven = i < call.args.length || Object.hasOwn(rest, name);
        delete rest[name];
        inner.set(name, isGiven ? given : fallback ? this.#value(fallback, inner) : undefined);
      }
      inner.set("varargs", PyTuple.make(call.args.slice(names.length)));
      if (Object.hasOwn(rest, "caller")) inner.set("caller", rest.caller);
      delete rest.caller;
      inner.set("kwargs", rest);
      return this.#captured(this.#capture(() => this.#runAll(body.children ?? [], inner)));
    };
  }

  #callBlock(node: Node, scope: Scope): void {
    const call = child(node, "call");
    const macro = this.#value(child(call, "callee"), scope);
    if (typeof macro !== "function") throw new PythonError("TypeError", "call needs a macro");
    const { args, kwargs } = this.#expressions.args(list(call, "args"), scope);
    const caller = this.#macro(list(node, "params"), child(node, "body"), scope);
    this.#print((macro as TemplateFunction)({ args, kwargs: { ...kwargs, caller } }));
  }

  #block(name: string, level: number, scope: Scope): void {
    const version = this.#blocks.get(name)?.[level];
    if (!version) return;
    const before = this.#template;
    this.#template = version.template;
    const inner = new Scope(scope);
    inner.set("super", () => this.#captured(this.#capture(() => this.#block(name, level + 1, scope))));
    this.#runAll(version.body.children ?? [], inner);
    this.#template = before;
  }

  /** `self.name()`: a block once more. */
  #self(scope: Scope): Record<string, unknown> {
    return Object.fromEntries(
      [...this.#blocks.keys()].map((name) => [
        name,
        () => this.#captured(this.#capture(() => this.#block(name, 0, scope))),
      ]),
    );
  }

  #templateNames(node: Node, scope: Scope): string[] {
    const value = this.#value(child(node, "template"), scope);
    return Array.isArray(value) ? value.map(str) : [str(value)];
  }

  #include(node: Node, scope: Scope): void {
    const names = this.#templateNames(node, scope);
    const found = names.map((name) => this.#env.load(name)).find((template) => template !== undefined);
    if (!found) {
      if (node.ignoreMissing === true) return;
      throw new TemplateError(
        `template '${names.join("', '")}' not found`,
        this.#template.name,
        node.lineno + 1,
      );
    }
    this.#out.push(new StatementRunner(this.#env, found, this.#depth + 1).renderRoot(new Scope(scope)));
  }

  /** Runs a template for its macros and top-level variables. */
  #module(node: Node, scope: Scope): Record<string, unknown> {
    const [name = ""] = this.#templateNames(node, scope);
    const template = this.#env.require(name, this.#template.name, node.lineno + 1);
    const own = new Scope(node.withContext === true ? scope : undefined);
    const runner = new StatementRunner(this.#env, template, this.#depth + 1);
    runner.renderRoot(own);
    const { self: _blocks, ...names } = own.own();
    return names;
  }

  #fromImport(node: Node, scope: Scope): void {
    const module = this.#module(node, scope);
    for (const entry of child(node, "names").children ?? []) {
      const isAlias = entry.typename === "Pair";
      const name = String(isAlias ? child(entry, "key").value : entry.value);
      const alias = String(isAlias ? child(entry, "value").value : entry.value);
      scope.set(alias, getItem(module, name));
    }
  }
}
