import { compileUserRules, detect, type Policy } from "../../packages/shared-security/src/index.ts";
import { atLeast } from "../verdict.ts";
import { cleanFiles, readSharedGzip } from "./data.ts";
import { OPENCLAW, SECRETLINT } from "./peers.ts";
import type { BenchPart, Row } from "./types.ts";

const CMRC = "retrieval-zh/cmrc2018_dev.json.gz";
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
  title: "Speed, all rules, one thread, MB of UTF-8 a second (best of some rounds)",
  needs: [CMRC],
  async run() {
    const mixed = take([...cleanFiles("docs"), ...cleanFiles("code")].map((file) => file.text));
    const chinese = chineseParagraphs();
    const ours = "shared-security";
    const mixedRate = await rate(mixed, (text) => detect(text));
    const chineseRate = await rate(chinese, (text) => detect(text));
    const rows: Row[] = [
      row(ours, "code and docs", mixedRate),
      row(
        `${ours} + user rules`,
        "code and docs",
        await rate(mixed, (text) => detect(text, WITH_USER_RULES)),
      ),
    ];
    for (const peer of [OPENCLAW, SECRETLINT]) {
      const sample = limit(mixed, PEER_BYTES);
      rows.push(row(peer.name, "code and docs", await rate(sample, (text) => peer.find(text), 1)));
    }
    const sample = limit(chinese, PEER_BYTES);
    rows.push(
      row(ours, "Chinese paragraphs", chineseRate),
      row(OPENCLAW.name, "Chinese paragraphs", await rate(sample, (text) => OPENCLAW.find(text), 1)),
    );
    return {
      rows,
      checks: [
        atLeast("Speed, code and docs", mixedRate.byCpu, 20, "MB/CPU s"),
        atLeast("Speed, clean Chinese", chineseRate.byCpu, 50, "MB/CPU s"),
      ],
    };
  },
};

/** Megabytes of UTF-8 a second. */
interface Rate {
  /** Of CPU time of the whole process, the garbage collector's threads too: what it is when nothing else runs. */
  readonly byCpu: number;
  /** By the clock: what a user sees here and now. */
  readonly byClock: number;
}

/** Best of the rounds: the first ones also warm the compiler up. */
async function rate(
  texts: readonly string[],
  find: (text: string) => unknown,
  rounds = ROUNDS,
): Promise<Rate> {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  let byCpu = 0;
  let byClock = 0;
  for (let round = 0; round < rounds; round++) {
    // Other texts each time: what is known of the last round must not help.
    const fresh = texts.map((text) => Buffer.from(text + round).toString());
    const started = performance.now();
    const before = process.cpuUsage();
    for (const text of fresh) await find(text);
    const { user, system } = process.cpuUsage(before);
    byCpu = Math.max(byCpu, bytes / (user + system));
    byClock = Math.max(byClock, bytes / 1e3 / (performance.now() - started));
  }
  return { byCpu, byClock };
}

function row(detector: string, text: string, { byCpu, byClock }: Rate): Row {
  return {
    detector,
    text,
    "MB/CPU s": byCpu.toFixed(byCpu < 10 ? 2 : 0),
    "MB/s": byClock.toFixed(byClock < 10 ? 2 : 0),
  };
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

function chineseParagraphs(): string[] {
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
  visit(JSON.parse(readSharedGzip(CMRC)));
  return [...paragraphs];
}

export default part;
