/** The parts of nunjucks 3 that carry no type declarations of their own: lexer, parser, AST nodes. */
declare module "nunjucks/src/parser.js" {
  export interface Token {
    type: string;
    value: string;
    lineno: number;
    colno: number;
  }

  export class Parser {
    constructor(tokens: unknown);
    breakOnBlocks: string[] | null;
    tokens: { nextToken(): Token | null };
    peekToken(): Token;
    nextToken(withWhitespace?: boolean): Token;
    pushToken(token: Token): void;
    skip(type: string): boolean;
    skipValue(type: string, value: string): boolean;
    skipSymbol(value: string): boolean;
    fail(message: string, lineno?: number, colno?: number): never;
    advanceAfterBlockEnd(name?: string): Token;
    parseUntilBlocks(...names: string[]): unknown;
    parseStatement(): unknown;
    parsePrimary(noPostfix?: boolean): unknown;
    parseUnary(noFilters?: boolean): unknown;
    parseSignature(tolerant?: boolean, noParens?: boolean): unknown;
    parseAggregate(): unknown;
    parsePostfix(node: unknown): unknown;
    parseExpression(): unknown;
    parseInlineIf(): unknown;
    parseOr(): unknown;
    parseIs(): unknown;
    parseCompare(): unknown;
    parsePow(): unknown;
    parseFor(): unknown;
    parseSet(): unknown;
    parseFilter(node: unknown): unknown;
    parseAsRoot(): unknown;
  }

  const parser: { Parser: typeof Parser };
  export default parser;
}

declare module "nunjucks/src/lexer.js" {
  const lexer: { lex(source: string, options?: { trimBlocks?: boolean; lstripBlocks?: boolean }): unknown };
  export default lexer;
}
