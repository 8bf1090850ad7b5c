/** What the embedded judge learns from. Each set is undefined where its file is not here. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { TIERS, type Tier } from "../../src/config-file/schema.ts";
import { hash } from "../../src/judge/text.ts";

const root = new URL("../../../../", import.meta.url);
const ROUTELLM = new URL("../shared/data/routing/routellm.dev.jsonl.gz", root);
const TIERS_FILE = new URL("bench/routing/tiers.jsonl", root);

export interface Answered {
  prompt: string;
  set: string;
  weak: boolean;
  strong: boolean;
}

export interface Graded {
  prompt: string;
  lang: "en" | "zh" | "mixed";
  tier: Tier;
}

/**
 * RouteLLM records: did the weak and did the strong model answer right.
 * @param file another file of the same layout, gzipped or not
 */
export function answered(file: string = fileURLToPath(ROUTELLM)): Answered[] | undefined {
  if (!existsSync(file)) return undefined;
  const raw = readFileSync(file);
  const text = (file.endsWith(".gz") ? gunzipSync(raw) : raw).toString("utf8");
  return rows(text, file).map(({ value, where }) => {
    const { prompt, set, weak_correct: weak, strong_correct: strong } = value;
    if (typeof prompt !== "string" || typeof weak !== "boolean" || typeof strong !== "boolean")
      throw new Error(`${where}: prompt, weak_correct and strong_correct belong here`);
    return { prompt, set: String(set), weak, strong };
  });
}

/** The prompts graded by hand for this project. */
export function graded(file: string = fileURLToPath(TIERS_FILE)): Graded[] {
  return rows(readFileSync(file, "utf8"), file).map(({ value, where }) => {
    const { prompt, lang } = value;
    const tier = TIERS.find((name) => name === value.tier);
    if (
      typeof prompt !== "string" ||
      tier === undefined ||
      (lang !== "en" && lang !== "zh" && lang !== "mixed")
    )
      throw new Error(`${where}: prompt, lang (en, zh, mixed) and tier belong here`);
    return { prompt, lang, tier };
  });
}

function rows(text: string, file: string): { value: Record<string, unknown>; where: string }[] {
  return text
    .trim()
    .split("\n")
    .map((line, i) => ({ value: JSON.parse(line) as Record<string, unknown>, where: `${file}:${i + 1}` }));
}

/** Fold of a prompt, by its text: the same prompt asked twice is never on both sides. */
export function foldOf(prompt: string, folds: number, seed: number): number {
  return hash(`${seed}\n${prompt}`) % folds;
}

/** Mulberry32: a small seeded generator, 0 <= x < 1. */
export function random(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function shuffled<T>(list: readonly T[], next: () => number): T[] {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    const [a, b] = [out[i], out[j]];
    if (a !== undefined && b !== undefined) [out[i], out[j]] = [b, a];
  }
  return out;
}
