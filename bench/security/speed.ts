import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { compileUserRules, detect, type Policy } from "../../packages/shared-security/src/index.ts";
import { cleanFiles } from "./data.ts";
import { OPENCLAW, SECRETLINT } from "./peers.ts";
import type { BenchPart, Row } from "./types.ts";

const CMRC = resolve(import.meta.dirname, "../../../shared/data/retrieval-zh/cmrc2018_dev.json.gz");
const CODE_AND_DOCS_BYTES = 12_000_000;
const PEER_BYTES = 300_000;
const ROUNDS = 5;

/** Rules as a user of the router would add them: two dozen keywords and a dozen patterns. */
const WITH_USER_RULES: Policy = {
  userRules: compileUserRules({
    keywords: {
      S2: [
        "salary",
        "合同编号",
        "客户名单",
        "intranet",
        "域控",
        "甲方",
        "乙方",
        "payroll",
        "acquisition",
        "roadmap",
      ],
      S3: [".pem", ".env", "id_rsa", "master_password", "病历", "处方", "工资条", "layoff", "termination"],
    },
    patterns: {
      S2: [
        "\\b(?:sk|key|token)-[A-Za-z0-9]{16,}\\b",
        "(?i)[a-z]+-(?:srv|dc|db)-\\d{2,}",
        "(?i)project[- ](?:falcon|osprey)",
        "HT-\\d{4}-\\d{4}",
      ],
      S3: ["(?i)patient\\s+\\d{6}", "BEGIN (?:RSA )?PRIVATE", "\\bCASE-[0-9]{8}\\b"],
    },
  }),
};

const part: BenchPart = {
  title:
    "Speed, all rules, one thread, MB of UTF-8 a second (goal: code and docs >= 20, clean Chinese >= 50)",
  async run() {
    const mixed = take([...cleanFiles("docs"), ...cleanFiles("code")].map((file) => file.text));
    const chinese = chineseParagraphs();
    const rows: Row[] = [
      {
        detector: "shared-security",
        text: "code and docs",
        ...(await rate(mixed, (text) => detect(text))),
      },
      {
        detector: "shared-security + user rules",
        text: "code and docs",
        ...(await rate(mixed, (text) => detect(text, WITH_USER_RULES))),
      },
    ];
    for (const peer of [OPENCLAW, SECRETLINT]) {
      rows.push({
        detector: peer.name,
        text: "code and docs",
        ...(await rate(limit(mixed, PEER_BYTES), (text) => peer.find(text), 1)),
      });
    }
    if (chinese !== undefined) {
      rows.push({
        detector: "shared-security",
        text: "Chinese paragraphs",
        ...(await rate(chinese, (text) => detect(text))),
      });
      rows.push({
        detector: OPENCLAW.name,
        text: "Chinese paragraphs",
        ...(await rate(limit(chinese, PEER_BYTES), (text) => OPENCLAW.find(text), 1)),
      });
    }
    return rows;
  },
};

/**
 * Best of the rounds: the first ones also warm the compiler up. The clock says what a user sees here and now, CPU time
 * what it is when nothing else runs.
 */
async function rate(
  texts: readonly string[],
  find: (text: string) => unknown,
  rounds = ROUNDS,
): Promise<Row> {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  let byCpu = 0;
  let byClock = 0;
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    const before = process.cpuUsage();
    for (const text of texts) await find(text);
    const { user, system } = process.cpuUsage(before);
    byCpu = Math.max(byCpu, bytes / (user + system));
    byClock = Math.max(byClock, bytes / 1e3 / (performance.now() - started));
  }
  return { "MB/CPU s": byCpu.toFixed(byCpu < 10 ? 2 : 0), "MB/s": byClock.toFixed(byClock < 10 ? 2 : 0) };
}

/** Every n-th text, so that about {@link CODE_AND_DOCS_BYTES} of all kinds remain. */
function take(texts: readonly string[]): string[] {
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  const step = Math.max(1, Math.round(total / CODE_AND_DOCS_BYTES));
  return texts.filter((_text, index) => index % step === 0);
}

function limit(texts: readonly string[], bytes: number): string[] {
  const chosen: string[] = [];
  let sum = 0;
  for (const text of texts) {
    if (sum + text.length > bytes) continue;
    sum += text.length;
    chosen.push(text);
  }
  return chosen;
}

function chineseParagraphs(): string[] | undefined {
  if (!existsSync(CMRC)) return undefined;
  const paragraphs = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    else if (typeof node === "object" && node !== null) {
      for (const [key, value] of Object.entries(node)) {
        if (key.startsWith("context") && typeof value === "string" && value.length > 40)
          paragraphs.add(value);
        else visit(value);
      }
    }
  };
  visit(JSON.parse(gunzipSync(readFileSync(CMRC)).toString("utf8")));
  return [...paragraphs];
}

export default part;
