import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import type { InjectionProfile } from "../../packages/shared-security/src/index.ts";
import { readSharedLines } from "./data.ts";

/** One text to judge, with the profile its place calls for. */
export interface InjectionSample {
  text: string;
  profile: InjectionProfile;
  /** What the sample is, for break-downs: variant, language or attack kind. */
  kind: string;
}

/** Everything the injection goals are measured on; undefined where `../shared/data` is absent. */
export interface InjectionData {
  direct: InjectionSample[];
  indirect: InjectionSample[];
  otherLanguages: InjectionSample[];
  cleanMails: InjectionSample[];
  attackMails: InjectionSample[];
  notInject: InjectionSample[];
  mtBench: InjectionSample[];
  chineseParagraphs: InjectionSample[];
  mixed: (InjectionSample & { attack: boolean })[];
}

interface Cyber {
  injection_type: "direct" | "indirect";
  variant?: string;
  language?: string;
  user: string;
}
interface Mails {
  clean_emails: string[];
  attacks: Record<string, string[]>;
}

const SHARED = resolve(import.meta.dirname, "../../../shared/data");
const MAILS = "injection/bipia-email.dev.json";
const CHINESE = "retrieval-zh/cmrc2018_dev.json.gz";

/** What {@link readInjectionData} reads, under `../shared/data`. */
export const INJECTION_FILES: readonly string[] = [
  "injection/cyberseceval.dev.jsonl",
  "injection/cyberseceval-multilingual.dev.jsonl",
  "injection/piguard.dev.jsonl",
  "routing/mt-bench.jsonl",
  MAILS,
  CHINESE,
];

const profileOf = (type: "direct" | "indirect"): InjectionProfile =>
  type === "direct" ? "user-prompt" : "untrusted-data";

/** Reads the dev halves (see ../shared/data/README.md for sources and licences). */
export function readInjectionData(): InjectionData | undefined {
  const english = readSharedLines<Cyber>("injection/cyberseceval.dev.jsonl");
  const other = readSharedLines<Cyber>("injection/cyberseceval-multilingual.dev.jsonl");
  const guard = readSharedLines<{ set: string; label: number; text: string }>("injection/piguard.dev.jsonl");
  const chat = readSharedLines<{ turns?: string[]; prompt?: string[] }>("routing/mt-bench.jsonl");
  const mailFile = resolve(SHARED, MAILS);
  const chineseFile = resolve(SHARED, CHINESE);
  if (!english || !other || !guard || !chat || !existsSync(mailFile) || !existsSync(chineseFile))
    return undefined;
  const mails = JSON.parse(readFileSync(mailFile, "utf8")) as Mails;
  const chinese = JSON.parse(gunzipSync(readFileSync(chineseFile)).toString("utf8")) as {
    context_text: string;
  }[];
  const cyber = (record: Cyber): InjectionSample => ({
    text: record.user,
    profile: profileOf(record.injection_type),
    kind: `${record.injection_type}/${record.variant ?? record.language}`,
  });
  return {
    direct: english.filter((record) => record.injection_type === "direct").map(cyber),
    indirect: english.filter((record) => record.injection_type === "indirect").map(cyber),
    otherLanguages: other.map(cyber),
    cleanMails: mails.clean_emails.map((text) => ({ text, profile: "untrusted-data", kind: "mail" })),
    attackMails: attackMails(mails),
    notInject: guard
      .filter((record) => record.set === "notinject")
      .map(({ text }) => ({ text, profile: "user-prompt", kind: "notinject" })),
    mtBench: chat
      .flatMap((record) => record.turns ?? record.prompt ?? [])
      .map((text) => ({ text, profile: "user-prompt", kind: "mt-bench" })),
    chineseParagraphs: chinese.map(({ context_text }) => ({
      text: context_text,
      profile: "untrusted-data",
      kind: "cmrc",
    })),
    mixed: guard
      .filter((record) => record.set !== "notinject")
      .map(({ text, label }) => ({ text, profile: "user-prompt", kind: "piguard", attack: label === 1 })),
  };
}

/** Every attack instruction put at the start, in the middle and at the end of a mail; mails are taken in turn. */
function attackMails(mails: Mails): InjectionSample[] {
  const samples: InjectionSample[] = [];
  let turn = 0;
  for (const [kind, attacks] of Object.entries(mails.attacks)) {
    for (const attack of attacks) {
      for (const place of ["start", "middle", "end"] as const) {
        const mail = mails.clean_emails[turn++ % mails.clean_emails.length] as string;
        samples.push({ text: insert(mail, attack, place), profile: "untrusted-data", kind });
      }
    }
  }
  return samples;
}

/** As BIPIA does it: before the mail, after the line end nearest to its middle, or after it. */
export function insert(mail: string, attack: string, place: "start" | "middle" | "end"): string {
  if (place === "start") return `${attack}\n${mail}`;
  if (place === "end") return `${mail}\n${attack}`;
  const lines = mail.split("\n");
  const middle = Math.max(1, Math.floor(lines.length / 2));
  return [...lines.slice(0, middle), attack, ...lines.slice(middle)].join("\n");
}
