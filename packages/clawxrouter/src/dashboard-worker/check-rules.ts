/** Checks patterns and keywords while somebody types them, and measures what a pattern costs. */
import { compileUserRules, RuleError } from "@clawx/shared-security";

export interface RulesQuestion {
  patterns: readonly string[];
  keywords: readonly string[];
  sample: string | undefined;
  /** All patterns that are to be in force, to be measured as one. */
  together?: readonly string[];
}

export interface PatternReport {
  ok: boolean;
  error: string | null;
  position: number | null;
  cost: { msPer100kB: number; verdict: "fine" | "slow" | "refused" } | null;
  hits: { start: number; end: number }[];
}

export interface RulesReport {
  patterns: PatternReport[];
  keywords: { ok: boolean; error: string | null; hits: { start: number; end: number }[] }[];
  /** Of `together`; null when it was not given. */
  togetherMsPer100kB: number | null;
}

/** Above this a pattern holds the gateway up longer than anything may: 100 kB of text in one go. */
export const REFUSE_MS_PER_100KB = 400;
/** The same for all patterns together. */
export const REFUSE_TOGETHER_MS_PER_100KB = 800;
const SLOW_MS_PER_100KB = 60;
const MEASURED_CHARS = 20_000;
const MOST_HITS = 200;

export function checkRules({ patterns, keywords, sample, together }: RulesQuestion): RulesReport {
  return {
    togetherMsPer100kB: together === undefined ? null : costOf(together),
    patterns: patterns.map((pattern) => checkPattern(pattern, sample)),
    keywords: keywords.map((keyword) => {
      try {
        const rules = compileUserRules({ keywords: { S2: [keyword] } });
        return { ok: true, error: null, hits: hitsOf(rules, sample) };
      } catch (error) {
        return { ok: false, error: messageOf(error).message, hits: [] };
      }
    }),
  };
}

function checkPattern(pattern: string, sample: string | undefined): PatternReport {
  try {
    const rules = compileUserRules({ patterns: { S2: [pattern] } });
    const msPer100kB = worst(rules, texts(pattern));
    const verdict =
      msPer100kB > REFUSE_MS_PER_100KB ? "refused" : msPer100kB > SLOW_MS_PER_100KB ? "slow" : "fine";
    return {
      ok: verdict !== "refused",
      error: verdict === "refused" ? "this pattern is too slow for long texts" : null,
      position: null,
      cost: { msPer100kB: Math.round(msPer100kB * 10) / 10, verdict },
      hits: hitsOf(rules, sample),
    };
  } catch (error) {
    const { message, position } = messageOf(error);
    return { ok: false, error: message, position, cost: null, hits: [] };
  }
}

/** What all of them take: each may be fine, and a thousand of them are not. */
function costOf(patterns: readonly string[]): number {
  if (patterns.length === 0) return 0;
  return worst(compileUserRules({ patterns: { S2: [...patterns] } }), texts(patterns[0] ?? ""));
}

function worst(rules: ReturnType<typeof compileUserRules>, on: readonly string[]): number {
  return Math.max(...on.map((text) => cost(() => rules.find(text), text.length)));
}

/** RE2 takes time linear in the text, so one length tells of all; the better of two runs, for the first one compiles. */
function cost(run: () => unknown, length: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 2; i += 1) {
    const started = spentMs();
    run();
    best = Math.min(best, spentMs() - started);
    // Far from slow: a second look tells nothing.
    if (best < (SLOW_MS_PER_100KB * length) / 1_000_000) break;
    if (best > (REFUSE_MS_PER_100KB * length) / 100_000) break;
  }
  return (best * 100_000) / length;
}

/** Time that this thread has worked: how busy the machine is says nothing of a pattern. */
function spentMs(): number {
  // Node 22 cannot tell a thread's own time.
  if (typeof process.threadCpuUsage !== "function") return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Texts that keep an automaton busy: prose, digits, repeats of the pattern's own characters. */
function texts(pattern: string): string[] {
  const own = [...new Set(pattern.replace(/[\\^$.*+?()[\]{}|]/g, ""))].join("").slice(0, 40) || "a";
  const fill = (piece: string) =>
    piece.repeat(Math.ceil(MEASURED_CHARS / piece.length)).slice(0, MEASURED_CHARS);
  return [
    fill("The quick brown fox jumps over 13 lazy dogs. 他说：明天下午三点开会。\n"),
    fill(`${own} `),
    fill(own[0] ?? "a"),
    fill("aA1 _-./:@=\n"),
  ];
}

function hitsOf(rules: ReturnType<typeof compileUserRules>, sample: string | undefined) {
  if (sample === undefined) return [];
  return rules
    .find(sample)
    .slice(0, MOST_HITS)
    .map(({ start, end }) => ({ start, end }));
}

function messageOf(error: unknown): { message: string; position: number | null } {
  if (error instanceof RuleError) {
    // Its message quotes the rule; the page has that already.
    return {
      message: error.message.replace(/^\S+: /, "").replace(/ at character .*$/s, ""),
      position: error.position,
    };
  }
  return { message: error instanceof Error ? error.message : String(error), position: null };
}
