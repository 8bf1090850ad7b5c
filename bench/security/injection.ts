import { INJECTION_PEERS } from "../../packages/shared-security/scripts/injection-peers.ts";
import { type InjectionProfile, looksLikePromptInjection } from "../../packages/shared-security/src/index.ts";
import { atLeast, atMost, type Check, share } from "../verdict.ts";
import { cleanFiles, explain, percent } from "./data.ts";
import {
  INJECTION_FILES,
  type InjectionData,
  type InjectionSample,
  readInjectionData,
} from "./injection-data.ts";
import type { BenchPart, Row } from "./types.ts";

/** Something that says whether a text is an injection; the peers know no profiles. */
interface Judge {
  name: string;
  flags(text: string, profile: InjectionProfile): boolean;
}

const OURS: Judge = { name: "shared-security", flags: looksLikePromptInjection };

/** Share of samples flagged. */
interface Rate {
  readonly flagged: number;
  readonly of: number;
}

interface Score {
  readonly direct: Rate;
  readonly indirect: Rate;
  readonly otherLanguages: Rate;
  readonly attackMails: Rate;
  readonly cleanMails: Rate;
  readonly notInject: Rate;
  readonly mtBench: Rate;
  readonly chinese: Rate;
  /** Paragraphs of documentation flagged, a MB. */
  readonly docs: number;
  /** MB of UTF-8 a second of CPU time. */
  readonly mixedSpeed: number;
  readonly chineseSpeed: number;
}

const part: BenchPart = {
  title: "Injection: share flagged (attacks high, clean low; mail gap = attack mails minus clean mails)",
  needs: INJECTION_FILES,
  async run() {
    const data = readInjectionData();
    if (!data) throw new Error("the data for injections is not here");
    const docs = cleanFiles("docs").map((file) => file.text);
    const code = cleanFiles("code").map((file) => file.text);
    const ours = score(OURS, data, docs, code);
    return {
      rows: [row(OURS, ours), ...INJECTION_PEERS.map((peer) => row(peer, score(peer, data, docs, code)))],
      checks: goals(ours),
    };
  },
};

function goals(ours: Score): Check[] {
  return [
    atLeast("Injection, direct", percentOf(ours.direct), 70, "%"),
    atLeast("Injection, indirect", percentOf(ours.indirect), 75, "%"),
    atLeast("Injection, other languages", percentOf(ours.otherLanguages), 60, "%"),
    atLeast("Injection, attack mails minus clean mails", gap(ours), 50, "points"),
    atMost("Injection, NotInject", percentOf(ours.notInject), 5, "%"),
    atMost("Injection, MT-bench", percentOf(ours.mtBench), 1, "%"),
    atMost("Injection, Chinese paragraphs", percentOf(ours.chinese), 1, "%"),
    atLeast("Injection, speed on code and docs", ours.mixedSpeed, 20, "MB/s"),
    atLeast("Injection, speed on Chinese", ours.chineseSpeed, 50, "MB/s"),
  ];
}

function score(judge: Judge, data: InjectionData, docs: readonly string[], code: readonly string[]): Score {
  const rate = (samples: readonly InjectionSample[]): Rate => {
    let flagged = 0;
    for (const { text, profile, kind } of samples) {
      const flag = judge.flags(text, profile);
      if (flag) flagged++;
      if (judge === OURS)
        explain(`injection ${flag ? "flagged" : "-"} ${kind} | ${JSON.stringify(text.slice(-200))}`);
    }
    return { flagged, of: samples.length };
  };
  // The peers take seconds a megabyte: a part of the files is enough to tell their speed.
  const step = judge === OURS ? 1 : 40;
  const docsSample = docs.filter((_text, index) => index % step === 0);
  const mixed = [...docs, ...code].filter((_text, index) => index % (4 * step) === 0);
  return {
    direct: rate(data.direct),
    indirect: rate(data.indirect),
    otherLanguages: rate(data.otherLanguages),
    attackMails: rate(data.attackMails),
    cleanMails: rate(data.cleanMails),
    notInject: rate(data.notInject),
    mtBench: rate(data.mtBench),
    chinese: rate(data.chineseParagraphs),
    docs: flaggedParagraphs(judge, docsSample),
    mixedSpeed: speed(judge, mixed),
    chineseSpeed: speed(judge, chineseTexts(data)),
  };
}

function row(judge: Judge, score: Score): Row {
  const text = ({ flagged, of }: Rate): string => percent(flagged, of);
  return {
    detector: judge.name,
    direct: text(score.direct),
    indirect: text(score.indirect),
    "other languages": text(score.otherLanguages),
    "attack mails": text(score.attackMails),
    "clean mails": text(score.cleanMails),
    "mail gap": gap(score).toFixed(1),
    NotInject: text(score.notInject),
    "MT-bench": text(score.mtBench),
    "zh paragraphs": text(score.chinese),
    "docs flagged/MB": score.docs.toFixed(1),
    "code+docs MB/s": score.mixedSpeed.toFixed(1),
    "zh MB/s": score.chineseSpeed.toFixed(1),
  };
}

function percentOf({ flagged, of }: Rate): number {
  return share(flagged, of);
}

/** In percent points. */
function gap(score: Score): number {
  return percentOf(score.attackMails) - percentOf(score.cleanMails);
}

/** 100 KB texts of joined paragraphs. */
function chineseTexts(data: InjectionData): string[] {
  const all = data.chineseParagraphs.map((sample) => sample.text).join("\n\n");
  const texts: string[] = [];
  for (let at = 0; at < all.length; at += 33_000) texts.push(all.slice(at, at + 33_000));
  return texts;
}

/** Paragraphs of clean documentation of an agent host: the hardest clean text there is for this. */
function flaggedParagraphs(judge: Judge, docs: readonly string[]): number {
  let flagged = 0;
  let bytes = 0;
  for (const text of docs) {
    bytes += Buffer.byteLength(text);
    for (const paragraph of text.split(/\n\s*\n/)) {
      if (paragraph.length < 20 || !judge.flags(paragraph, "untrusted-data")) continue;
      flagged++;
      if (judge === OURS) explain(`injection docs | ${JSON.stringify(paragraph.slice(0, 200))}`);
    }
  }
  return flagged / (bytes / 1e6);
}

/** Megabytes of UTF-8 a second, of CPU time: the machine may be shared. Best of three. */
function speed(judge: Judge, texts: readonly string[]): number {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < (judge === OURS ? 3 : 1); round++) {
    const before = process.cpuUsage();
    for (const text of texts) judge.flags(text, "untrusted-data");
    const used = process.cpuUsage(before);
    best = Math.min(best, used.user + used.system);
  }
  return bytes / best;
}

export default part;
