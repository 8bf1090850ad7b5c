import lexer from "nunjucks/src/lexer.js";
import nunjucksParser, { type Token } from "nunjucks/src/parser.js";
import { makeNode, type Node, TemplateError } from "./ast.ts";

/**
 * nunjucks' parser, corrected where its grammar is not Jinja2's: operator precedence, slices, `a.b` apart from
 * `a["b"]`, chained inline-if, loop filters, `recursive`, `with`, namespace assignment, tests with a bare
 * argument, unpacking.
 */
class JinjaParser extends nunjucksParser.Parser {
  override parseStatement(): unknown {
    const token = this.peekToken();
    if (token.type === "symbol" && !this.breakOnBlocks?.includes(token.value)) {
      switch (token.value) {
        case "with":
          return this.#parseWith();
        case "do":
          return this.#parseDo();
        case "autoescape":
          return this.#parseAutoescape();
        case "call":
          return this.#parseCallBlock();
        case "filter":
          return this.#parseFilterBlock();
        case "break":
        case "continue":
          this.nextToken();
          this.advanceAfterBlockEnd(token.value);
          return makeNode(token.value === "break" ? "Break" : "Continue", token, {});
      }
    }
    return super.parseStatement();
  }

  #parseWith(): Node {
    const token = this.nextToken();
    const targets: unknown[] = [];
    const values: unknown[] = [];
    while (this.peekToken().type !== "block-end") {
      if (targets.length > 0 && !this.skip("comma"))
        this.fail("expected a comma in with", token.lineno, token.colno);
      targets.push(this.parsePrimary());
      if (!this.skipValue("operator", "=")) this.fail("expected = in with", token.lineno, token.colno);
      values.push(this.parseExpression());
    }
    this.advanceAfterBlockEnd("with");
    const body = this.parseUntilBlocks("endwith");
    this.advanceAfterBlockEnd();
    return makeNode("With", token, { targets, values, body });
  }

  #parseDo(): Node {
    const token = this.nextToken();
    const expression = this.parseExpression();
    this.advanceAfterBlockEnd("do");
    return makeNode("Do", token, { expression });
  }

  #parseAutoescape(): Node {
    const token = this.nextToken();
    const enabled = this.parseExpression();
    this.advanceAfterBlockEnd("autoescape");
    const body = this.parseUntilBlocks("endautoescape");
    this.advanceAfterBlockEnd();
    return makeNode("Autoescape", token, { enabled, body });
  }

  #parseCallBlock(): Node {
    const token = this.nextToken();
    const signature = this.parseSignature(true) as Node | null;
    const call = this.parsePrimary() as Node;
    if (call.typename !== "Call") this.fail("call needs a macro call", token.lineno, token.colno);
    this.advanceAfterBlockEnd("call");
    const body = this.parseUntilBlocks("endcall");
    this.advanceAfterBlockEnd();
    return makeNode("CallBlock", token, { call, params: signature?.children ?? [], body });
  }

  #parseFilterBlock(): Node {
    const token = this.nextToken();
    const marker = makeNode("CapturedBody", token, {});
    this.pushToken({ ...token, type: "pipe", value: "|" });
    const filtered = this.parseFilter(marker);
    this.advanceAfterBlockEnd("filter");
    const body = this.parseUntilBlocks("endfilter");
    this.advanceAfterBlockEnd();
    return makeNode("FilterBlock", token, { filtered, body });
  }

  override parseFor(): unknown {
    const token = this.nextToken();
    const names = [this.parsePrimary()];
    while (this.skip("comma")) names.push(this.parsePrimary());
    if (!this.skipSymbol("in")) this.fail('expected "in" in for', token.lineno, token.colno);
    const iter = this.#parseTuple(() => this.parseOr());
    const filter = this.skipSymbol("if") ? this.parseExpression() : null;
    const recursive = this.skipSymbol("recursive");
    this.advanceAfterBlockEnd("for");
    const body = this.parseUntilBlocks("endfor", "else");
    let otherwise: unknown = null;
    if (this.skipSymbol("else")) {
      this.advanceAfterBlockEnd("else");
      otherwise = this.parseUntilBlocks("endfor");
    }
    this.advanceAfterBlockEnd();
    return makeNode("For", token, { names, iter, filter, recursive, body, otherwise });
  }

  override parseSet(): unknown {
    const token = this.nextToken();
    const targets: unknown[] = [this.parsePrimary()];
    while (this.skip("comma")) targets.push(this.parsePrimary());
    if (this.skipValue("operator", "=")) {
      const value = this.#parseTuple(() => this.parseExpression());
      this.advanceAfterBlockEnd("set");
      return makeNode("Assign", token, { targets, value });
    }
    // {% set x | filter %}...{% endset %} captures its body.
    const marker = makeNode("CapturedBody", token, {});
    const filtered = this.parseFilter(marker);
    this.advanceAfterBlockEnd("set");
    const body = this.parseUntilBlocks("endset");
    this.advanceAfterBlockEnd();
    return makeNode("AssignBlock", token, { targets, body, filtered });
  }

  /** `a` or `a, b`: a comma makes a tuple. */
  #parseTuple(parseItem: () => unknown): unknown {
    const token = this.peekToken();
    const first = parseItem();
    if (this.peekToken()?.type !== "comma") return first;
    const items = [first];
    while (this.skip("comma")) {
      if (["block-end", "variable-end"].includes(this.peekToken().type)) break;
      items.push(parseItem());
    }
    return makeNode("Tuple", token, { children: items });
  }

  override parseInlineIf(): unknown {
    let node = this.parseOr();
    while (this.peekToken()?.type === "symbol" && this.skipSymbol("if")) {
      const cond = this.parseOr();
      const otherwise = this.skipSymbol("else") ? this.parseInlineIf() : null;
      node = makeNode("InlineIf", node as Node, { cond, body: node, else_: otherwise });
    }
    return node;
  }

  override parseIs(): unknown {
    let node = this.parseCompare();
    while (this.peekToken()?.type === "symbol" && this.skipSymbol("is")) {
      const negated = this.skipSymbol("not");
      const name = this.nextToken();
      const args: unknown[] = [];
      if (this.peekToken()?.type === "left-paren") {
        args.push(...((this.parseSignature() as Node).children ?? []));
      } else if (this.#startsOperand(this.peekToken())) {
        args.push(this.parseUnary(true));
      }
      node = makeNode("Test", name, { target: node, name: name.value, args, negated });
    }
    return node;
  }

  #startsOperand(token: Token | null): boolean {
    if (!token) return false;
    if (token.type === "symbol") return !["else", "or", "and", "if", "is", "in", "not"].includes(token.value);
    return ["string", "int", "float", "boolean", "none", "left-bracket", "left-curly"].includes(token.type);
  }

  override parseCompare(): unknown {
    const first = this.#parseMath1();
    const ops: Node[] = [];
    for (;;) {
      const token = this.nextToken();
      if (token && token.type === "operator" && ["==", "!=", "<", ">", "<=", ">="].includes(token.value)) {
        ops.push(makeNode("CompareOperand", token, { expr: this.#parseMath1(), type: token.value }));
        continue;
      }
      this.pushToken(token);
      return ops.length === 0 ? first : makeNode("Compare", first as Node, { expr: first, ops });
    }
  }

  #binary(next: () => unknown, operators: Record<string, string>, type = "operator"): unknown {
    let node = next();
    for (;;) {
      const token = this.nextToken();
      const name = token && token.type === type ? operators[token.value] : undefined;
      if (name === undefined) {
        this.pushToken(token);
        return node;
      }
      node = makeNode(name, token, { left: node, right: next() });
    }
  }

  #parseMath1(): unknown {
    return this.#binary(() => this.#parseTilde(), { "+": "Add", "-": "Sub" });
  }

  #parseTilde(): unknown {
    return this.#binary(() => this.#parseMath2(), { "~": "Concat" }, "tilde");
  }

  #parseMath2(): unknown {
    return this.#binary(() => this.parsePow(), { "*": "Mul", "/": "Div", "//": "FloorDiv", "%": "Mod" });
  }

  override parsePrimary(noPostfix?: boolean): unknown {
    const token = this.peekToken();
    const node = super.parsePrimary(noPostfix);
    // 3.0 must stay a float: the node only keeps the number.
    if (token?.type === "float") markFloats(node as Node);
    // nunjucks reads 1e16 and 1_000 as names.
    if (token?.type === "symbol" && /^\d[\d_]*(?:e\d+)?$/i.test(token.value)) {
      return makeNode("Literal", token, {
        value: Number(token.value.replaceAll("_", "")),
        float: /e/i.test(token.value),
      });
    }
    return node;
  }

  override parsePostfix(start: unknown): unknown {
    let node = start;
    for (;;) {
      const token = this.peekToken();
      if (!token) return node;
      if (token.type === "left-paren") {
        node = makeNode("Call", token, {
          callee: node,
          args: (this.parseSignature() as Node).children ?? [],
        });
      } else if (token.type === "left-bracket") {
        this.nextToken();
        node = this.#parseSubscript(node, token);
      } else if (token.type === "operator" && token.value === ".") {
        this.nextToken();
        const name = this.nextToken();
        if (name.type === "int")
          node = makeNode("Subscript", token, {
            target: node,
            index: makeNode("Literal", name, { value: Number(name.value) }),
          });
        else if (["symbol", "boolean", "none"].includes(name.type))
          node = makeNode("Attribute", token, { target: node, name: name.value });
        else this.fail(`expected a name after ".", got ${name.value}`, name.lineno, name.colno);
      } else return node;
    }
  }

  override parseAggregate(): unknown {
    const open = this.nextToken();
    const kinds: Record<string, string> = {
      "left-paren": "right-paren",
      "left-bracket": "right-bracket",
      "left-curly": "right-curly",
    };
    const close = kinds[open.type];
    if (close === undefined) {
      this.pushToken(open);
      return null;
    }
    const children: Node[] = [];
    let commas = 0;
    while (!this.skip(close)) {
      if (children.length > commas) {
        if (!this.skip("comma"))
          this.fail(`expected a comma or the closing bracket`, open.lineno, open.colno);
        commas += 1;
        continue;
      }
      const item = this.parseExpression() as Node;
      if (open.type !== "left-curly") children.push(item);
      else {
        if (!this.skip("colon")) this.fail("expected a colon after the key", open.lineno, open.colno);
        children.push(makeNode("Pair", item, { key: item, value: this.parseExpression() }));
      }
    }
    if (open.type === "left-curly") return makeNode("Dict", open, { children });
    if (open.type === "left-bracket") return makeNode("Array", open, { children });
    return makeNode(children.length === 1 && commas === 0 ? "Group" : "Tuple", open, { children });
  }

  #parseSubscript(target: unknown, token: Token): Node {
    const bounds: unknown[] = [null];
    let colons = 0;
    for (;;) {
      if (this.skip("right-bracket")) break;
      if (this.skip("colon")) {
        colons += 1;
        bounds.push(null);
      } else bounds[colons] = this.parseExpression();
    }
    if (colons === 0) return makeNode("Subscript", token, { target, index: bounds[0] });
    return makeNode("Slice", token, {
      target,
      start: bounds[0] ?? null,
      stop: bounds[1] ?? null,
      step: bounds[2] ?? null,
    });
  }

  override parseFilter(start: unknown): unknown {
    let node = start;
    while (this.peekToken() && this.skip("pipe")) {
      const name = this.nextToken();
      const args =
        this.peekToken()?.type === "left-paren" ? ((this.parseSignature() as Node).children ?? []) : [];
      node = makeNode("FilterCall", name, { target: node, name: name.value, args });
      // A filter may be followed by a subscript, an attribute or a call: x|groupby("a")[0].
      node = this.parsePostfix(node);
    }
    return node;
  }
}

function markFloats(node: Node): void {
  if (node.typename === "Literal") Object.assign(node, { float: true });
  else if (typeof node.target === "object" && node.target !== null) markFloats(node.target as Node);
}

export interface SyntaxOptions {
  trimBlocks?: boolean;
  lstripBlocks?: boolean;
}

/** Parses a template. As Jinja2 does, one final line end is dropped. @throws TemplateError */
export function parseTemplate(source: string, name: string, options: SyntaxOptions = {}): Node {
  const text = source
    .replace(/\r\n?/g, "\n")
    .replace(/\n$/, "")
    .replace(/\{%\+/g, "{%")
    .replace(/\+%\}/g, "%}");
  try {
    return new JinjaParser(lexer.lex(text, options)).parseAsRoot() as Node;
  } catch (error) {
    const line =
      error instanceof Error && "lineno" in error && typeof error.lineno === "number"
        ? error.lineno
        : undefined;
    const message =
      error instanceof Error
        ? error.message.replace(/^\(unknown path\)\s*(?:\[[^\]]*\])?\s*/, "")
        : String(error);
    throw new TemplateError(message, name, line);
  }
}
