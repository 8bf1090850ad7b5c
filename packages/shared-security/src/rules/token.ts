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

/**
 * A vendor's token on one line: name, prefixes, body, where it is documented, and S3 for the keys of whole clouds and of
 * payment accounts. Examples are made from the body, so no line looks like a live key.
 */
export type VendorLine = readonly [
  name: string,
  prefixes: readonly string[],
  body: RegExp,
  source: string,
  level?: PrivateLevel,
];

/** The rules of vendors' lines. */
export function vendorRules(lines: readonly VendorLine[]): Rule[] {
  return lines.flatMap(([name, prefixes, body, source, level]) =>
    token({
      name,
      prefixes,
      body,
      source,
      type: /key|secret/.test(name) ? "API_KEY" : "ACCESS_TOKEN",
      sample: sampleOf(body),
      ...(level === undefined ? {} : { level }),
    }),
  );
}

/** A text that a body accepts: its first alternative with every class replaced by a fitting character. */
function sampleOf(body: RegExp): string {
  let sample = "";
  let seed = 7;
  const next = (): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed;
  };
  const parts = expand(body.source.replace(/\(\?[=!][^)]*\)/g, ""));
  for (const { characters, times } of parts) {
    for (let i = 0; i < times; i++) sample += characters[(next() >> 8) % characters.length] as string;
  }
  return sample;
}

interface SamplePart {
  readonly characters: string;
  readonly times: number;
}

/** Reads the small part of the regex language that bodies are written in. */
function expand(source: string): SamplePart[] {
  const parts: SamplePart[] = [];
  let rest = source.split(/\|(?![^(]*\))/)[0] as string;
  while (rest !== "") {
    const atom =
      /^(?:\(\?:((?:[^()]|\([^()]*\))*)\)|\[((?:\\.|[^\]\\])+)\]|\\(.)|(.))(?:\{(\d+)(?:,\d*)?\}|([?*]))?/.exec(
        rest,
      );
    if (atom === null) throw new Error(`no sample for ${source}`);
    const [whole, group, set, escaped, plain, count, optional] = atom;
    rest = rest.slice(whole.length);
    const times = optional === undefined ? Number(count ?? 1) : 0;
    if (group !== undefined) for (let i = 0; i < times; i++) parts.push(...expand(group));
    else if (set !== undefined) parts.push({ characters: charactersOf(set), times });
    else parts.push({ characters: escaped === "d" ? "0123456789" : ((escaped ?? plain) as string), times });
  }
  return parts;
}

function charactersOf(set: string): string {
  let characters = "";
  for (const range of set.match(/(.)-(.)|\\(.)|(.)/g) ?? []) {
    if (range.length === 3) {
      for (let code = range.charCodeAt(0); code <= range.charCodeAt(2); code++)
        characters += String.fromCharCode(code);
    } else characters += range === "\\d" ? "0123456789" : range.replace("\\", "");
  }
  return characters.replace(/[^A-Za-z0-9]/g, "") || characters;
}
