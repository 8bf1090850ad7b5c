import nunjucksParser, { type Token } from "nunjucks/src/parser.js";
import { makeNode, type Node } from "./ast.ts";

/**
 * The expression half of nunjucks' parser, corrected where its grammar is not Jinja2's: operator precedence, slices,
 * `a.b` apart from `a["b"]`, chained inline-if, tests with a bare argument, tuples and trailing commas, 1_000 and 1e16.
 */
export class ExpressionParser extends nunjucksParser.Parser {
  /** `a` or `a, b`: a comma makes a tuple. */
  parseTuple(parseItem: () => unknown): unknown {
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
