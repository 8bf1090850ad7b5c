import lexer from "nunjucks/src/lexer.js";
import { makeNode, type Node, TemplateError } from "./ast.ts";
import { ExpressionParser } from "./expression-parser.ts";
import { normaliseSource } from "./source.ts";

/**
 * The statements: loop filters and `recursive`, `with`, `do`, `autoescape`, loop controls, namespace assignment,
 * unpacking, call and filter blocks.
 */
class JinjaParser extends ExpressionParser {
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
    const iter = this.parseTuple(() => this.parseOr());
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
      const value = this.parseTuple(() => this.parseExpression());
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
    return new JinjaParser(lexer.lex(normaliseSource(text), options)).parseAsRoot() as Node;
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
