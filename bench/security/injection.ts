import { INJECTION_PEERS } from "../../packages/shared-security/scripts/injection-peers.ts";
import { type InjectionProfile, looksLikePromptInjection } from "../../packages/shared-security/src/index.ts";
import { absent, cleanFiles, explain, percent } from "./data.ts";
import { type InjectionData, type InjectionSample, readInjectionData } from "./injection-data.ts";
import type { BenchPart, Row } from "./types.ts";

/** Something that says whether a text is an injection; the peers know no profiles. */
interface Judge {
  name: string;
  flags(text: string, profile: InjectionProfile): boolean;
}

const OURS: Judge = { name: "shared-security", flags: looksLikePromptInjection };
const JUDGES: readonly Judge[] = [OURS, ...INJECTION_PEERS];

const GOAL: Row = {
  detector: "goal",
  direct: ">= 70 %",
  indirect: ">= 75 %",
  "other languages": ">= 60 %",
  "attack mails": "",
  "clean mails": "",
  "mail gap": ">= 50 points",
  NotInject: "<= 5 %",
  "MT-bench": "<= 1 %",
  "zh paragraphs": "<= 1 %",
  "docs flagged/MB": "",
  "code+docs MB/s": ">= 20",
  "zh MB/s": ">= 50",
};

const part: BenchPart = {
  title: "Injection: share flagged (attacks high, clean low; mail gap = attack mails minus clean mails)",
  async run() {
    const data = readInjectionData();
    if (!data) return absent("injection");
    const docs = cleanFiles("docs").map((file) => file.text);
    const code = cleanFiles("code").map((file) => file.text);
    return [...JUDGES.map((judge) => score(judge, data, docs, code)), GOAL];
  },
};

function score(judge: Judge, data: InjectionData, docs: readonly string[], code: readonly string[]): Row {
  const rate = (samples: readonly InjectionSample[]) => {
    let flagged = 0;
    for (const { text, profile, kind } of samples) {
      const flag = judge.flags(text, profile);
      if (flag) flagged++;
      if (judge === OURS)
        explain(`injection ${flag ? "flagged" : "-"} ${kind} | ${JSON.stringify(text.slice(-200))}`);
    }
    return { flagged, of: samples.length, text: percent(flagged, samples.length) };
  };
  const attacks = rate(data.attackMails);
  const clean = rate(data.cleanMails);
  const gap = (100 * attacks.flagged) / attacks.of - (100 * clean.flagged) / clean.of;
  // The peers take seconds a megabyte: a part of the files is enough to tell their speed.
  const share = judge === OURS ? 1 : 40;
  const proseSpeed = speed(
    judge,
    [...docs, ...code].filter((_text, index) => index % (4 * share) === 0),
  );
  return {
    detector: judge.name,
    direct: rate(data.direct).text,
    indirect: rate(data.indirect).text,
    "other languages": rate(data.otherLanguages).text,
    "attack mails": attacks.text,
    "clean mails": clean.text,
    "mail gap": gap.toFixed(1),
    NotInject: rate(data.notInject).text,
    "MT-bench": rate(data.mtBench).text,
    "zh paragraphs": rate(data.chineseParagraphs).text,
    "docs flagged/MB": flaggedParagraphs(
      judge,
      docs.filter((_text, index) => index % share === 0),
    ),
    "code+docs MB/s": proseSpeed,
    "zh MB/s": speed(judge, chineseTexts(data)),
  };
}

/** 100 KB texts of joined paragraphs. */
function chineseTexts(data: InjectionData): string[] {
  const all = data.chineseParagraphs.map((sample) => sample.text).join("\n\n");
  const texts: string[] = [];
  for (let at = 0; at < all.length; at += 33_000) texts.push(all.slice(at, at + 33_000));
  return texts;
}

/** Paragraphs of clean documentation of an agent host: the hardest clean text there is for this. */
function flaggedParagraphs(judge: Judge, docs: readonly string[]): string {
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
  return (flagged / (bytes / 1e6)).toFixed(1);
}

/** Megabytes of UTF-8 a second, of CPU time: the machine may be shared. Best of three. */
function speed(judge: Judge, texts: readonly string[]): string {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < (judge === OURS ? 3 : 1); round++) {
    const before = process.cpuUsage();
    for (const text of texts) judge.flags(text, "untrusted-data");
    const used = process.cpuUsage(before);
    best = Math.min(best, used.user + used.system);
  }
  return (bytes / best).toFixed(1);
}

export default part;
