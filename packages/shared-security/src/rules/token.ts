import type { PrivateLevel } from "../types.ts";
import type { MatchContext, Rule } from "./rule.ts";

/** A token that is `prefix` + `body` and stands alone between characters that are not its own. */
export interface TokenSpec {
  readonly name: string;
  readonly type: string;
  /** Default S2. */
  readonly level?: PrivateLevel;
  /** Default 0.95. */
  readonly confidence?: number;
  /** Case-sensitive. */
  readonly prefixes: readonly string[];
  readonly body: RegExp;
  /** A made-up body that fits. */
  readonly sample: string;
  /** More texts that must not match. */
  readonly ng?: readonly string[];
  readonly source: string;
  readonly validate?: (value: string, context: MatchContext) => boolean;
}

/** The rule of a {@link TokenSpec}; its examples are the sample whole, cut short, and glued to a word. */
export function token(spec: TokenSpec): [Rule] {
  const [prefix] = spec.prefixes as [string];
  return [
    {
      id: `credentials/${spec.name}`,
      type: spec.type,
      level: spec.level ?? "S2",
      confidence: spec.confidence ?? 0.95,
      keywords: spec.prefixes,
      pattern: new RegExp(
        `(?<![A-Za-z0-9_-])(?:${spec.prefixes.map(escapeRegex).join("|")})(?:${spec.body.source})(?![A-Za-z0-9_])`,
        spec.body.flags,
      ),
      ...(spec.validate === undefined ? {} : { validate: spec.validate }),
      examples: {
        ok: [prefix + spec.sample, `key: "${prefix}${spec.sample}",`],
        ng: [prefix + spec.sample.slice(0, 5), `word${prefix}${spec.sample}`, ...(spec.ng ?? [])],
      },
      source: spec.source,
    },
  ];
}

function escapeRegex(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
