import { existsSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import type { Console } from "../cli/console.ts";
import { VERSION } from "../cli/version.ts";
import type { LoadedConfig } from "../config/load.ts";
import { makeScrubber, type Secrets } from "../config/secrets.ts";
import { runPool } from "../eval/pool.ts";
import { Progress } from "../eval/progress.ts";
import { configError, infrastructureError } from "../exit-codes.ts";
import { writeJson } from "../files/atomic.ts";
import { LlmClient } from "../llm/client.ts";
import { McpClient } from "../mcp/client.ts";
import type { Question } from "../questions/schema.ts";
import type { RunPaths } from "../results/paths.ts";
import { KeywordMatcher } from "../scoring/matcher.ts";
import { assembleDocument, isSameDocument, uselessBecause } from "./content.ts";
import { discoverDocuments } from "./discover.ts";
import { listedDocuments, noDocuments } from "./doc-names.ts";
import { draftQuestions, verifyDrafts } from "./questions.ts";

export interface GenStageInput {
  loaded: LoadedConfig;
  paths: RunPaths;
  secrets: Secrets;
  console: Console;
  signal?: AbortSignal;
}

/** What became of one document. */
interface DocumentReport {
  doc: string;
  outcome: "questions" | "skipped" | "failed";
  note: string;
  questions: Omit<Question, "q_id">[];
}

/** Stage gen: knowledge base -> documents -> questions whose keywords are proven to be in their document. */
export async function runGen(input: GenStageInput): Promise<Question[]> {
  const { loaded, paths, secrets, console, signal } = input;
  const { config } = loaded;
  const scrub = makeScrubber(secrets);
  const withSignal = signal ? { signal } : {};
  const mcp = new McpClient({
    config: config.agent.kb_mcp,
    token: secrets.mcpToken ?? "",
    clientVersion: VERSION,
    retries: config.agent.retries,
    ...withSignal,
  });
  const llm = new LlmClient(config.agent.llm, secrets.llmKey, config.agent.retries);
  const listed = await listedDocuments(loaded);
  if (listed.length === 0 && !config.qa_gen.auto_discover_docs) noDocuments();
  const found = config.qa_gen.auto_discover_docs
    ? await guard("knowledge base (MCP)", scrub, () => discoverDocuments(mcp, config.qa_gen, console))
    : [];
  const names = [...listed, ...found.filter((name) => !listed.some((other) => isSameDocument(other, name)))];
  if (names.length === 0) noDocuments();
  const matcher = new KeywordMatcher();
  const reports = new Array<DocumentReport | undefined>(names.length).fill(undefined);
  const progress = new Progress("gen", names.length, console, paths.progress);
  await runPool(names, config.qa_gen.concurrency, async (name, index) => {
    const report = await makeReport(name, mcp, llm, matcher, loaded, scrub, signal);
    reports[index] = report;
    progress.step(report.outcome);
  });
  await progress.finish();
  const done = reports.filter((report) => report !== undefined);
  for (const report of done) if (report.note) console.note(`gen: ${report.doc}: ${report.note}`);
  const questions = done
    .flatMap((report) => report.questions)
    .map((question, i) => ({ q_id: `Q${String(i + 1).padStart(3, "0")}`, ...question }));
  if (questions.length === 0) {
    const failed = done.filter((report) => report.outcome === "failed");
    const what = `gen: no question came out of ${names.length} document(s)`;
    if (failed.length === 0)
      throw configError(
        `${what}: each was skipped, for the reasons above. Check qa_gen.doc_names and agent.kb_mcp.knowledge_uuid (\`doctor\` shows what the knowledge base returns).`,
      );
    throw infrastructureError(`${what}; ${failed.length} failed, e.g. ${failed[0]?.doc}: ${failed[0]?.note}`);
  }
  if (existsSync(paths.questions)) {
    const kept = freeName(paths.questions);
    await copyFile(paths.questions, kept);
    console.note(`gen: the question set that was there is kept as ${kept}`);
  }
  await writeJson(paths.questions, questions);
  console.out(
    `gen: ${questions.length} questions from ${done.filter((r) => r.outcome === "questions").length} of ${names.length} documents -> ${paths.questions}`,
  );
  return questions;
}

/** `name.bak`, or with the first free number: an older set is never overwritten. */
function freeName(file: string): string {
  for (let i = 1; ; i++) {
    const name = `${file}.bak${i === 1 ? "" : i}`;
    if (!existsSync(name)) return name;
  }
}

async function guard<T>(what: string, scrub: (text: string) => string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw infrastructureError(
      `${what}: ${scrub(error instanceof Error ? error.message : String(error))}. Run \`doctor\` to see what is wrong.`,
    );
  }
}

/** The same value with every text in it scrubbed. */
function scrubbed<T>(value: T, scrub: (text: string) => string): T {
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    typeof part === "string" ? scrub(part) : part,
  ) as T;
}

async function makeReport(
  name: string,
  mcp: McpClient,
  llm: LlmClient,
  matcher: KeywordMatcher,
  loaded: LoadedConfig,
  scrub: (text: string) => string,
  signal: AbortSignal | undefined,
): Promise<DocumentReport> {
  const { qa_gen: settings } = loaded.config;
  const report = (
    outcome: DocumentReport["outcome"],
    note: string,
    questions: DocumentReport["questions"] = [],
  ) => ({ doc: name, outcome, note, questions });
  try {
    const document = assembleDocument(name, await mcp.search(name));
    if (!document)
      return report(
        "skipped",
        "not found in the knowledge base; check the name and agent.kb_mcp.knowledge_uuid",
      );
    const useless = uselessBecause(document.text, settings.min_content_chars);
    if (useless) return report("skipped", `no questions made: ${useless}`);
    // Neither a knowledge base nor a model can bring one of our own tokens into a question.
    const drafts = (await draftQuestions(llm, document, settings, signal)).map((draft) =>
      scrubbed(draft, scrub),
    );
    const { kept, dropped } = verifyDrafts(drafts, scrubbed(document, scrub), matcher);
    const notes = dropped.map((d) => `dropped "${d.question}": ${d.reason}`).join("; ");
    return report(kept.length > 0 ? "questions" : "skipped", notes, kept);
  } catch (error) {
    signal?.throwIfAborted();
    return report("failed", scrub(error instanceof Error ? error.message : String(error)));
  }
}
