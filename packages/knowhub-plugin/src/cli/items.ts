import { sourceSchema } from "../record/schema.ts";
import type { Actor } from "../service/backend.ts";
import { formatNeighbours, formatSearch } from "../tools/format.ts";
import { inLanguage, MESSAGES } from "../tools/messages.ts";
import type { Command, Environment } from "./commands.ts";
import { oneLine } from "./output.ts";
import { WORDS } from "./words.ts";

/** The person at the command line. */
export const HUMAN: Actor = { kind: "human", agentId: "cli", session: "cli" };

/** A number option, or its default; whole unless `decimal`. @throws with the range when it is not one */
export function numberOption(
  value: string | boolean | undefined,
  name: string,
  fallback: number,
  min: number,
  max: number,
  decimal = false,
): number {
  if (value === undefined || typeof value === "boolean") return fallback;
  const number = Number(value);
  if (!(number >= min && number <= max) || !(decimal || Number.isSafeInteger(number)))
    throw new Error(`--${name} must be a ${decimal ? "" : "whole "}number from ${min} to ${max}`);
  return number;
}

export function listOption(value: string | boolean | undefined): string[] | undefined {
  if (typeof value !== "string") return undefined;
  return value
    .split(",")
    .map((v) => v.trim())
    .filter(Boolean);
}

/** Says, in remote mode, that a command works on this machine's store. Wrong settings do not keep anyone from their own items. */
export function noteRemote({
  config,
  output,
  language,
}: Pick<Environment, "config" | "output" | "language">): void {
  let server = "";
  try {
    server = config().apiUrl;
  } catch {
    return;
  }
  if (server) output.err(WORDS[language].localOnly(server));
}

export const searchCommand: Command = {
  usage: "search <query...>",
  description: "Search the knowledge base (搜索)",
  options: [
    { flags: "--top <n>", description: "How many results (1-20)", default: "5" },
    { flags: "--min-score <n>", description: "Lowest score (1-5)", default: "1" },
    { flags: "--types <list>", description: "Only items of all these types, comma separated" },
    { flags: "--owner <list>", description: "Only items of these owners, comma separated" },
    { flags: "--json", description: "Print JSON" },
  ],
  async run({ output, language, config, hub }, args, options) {
    const outcome = await hub()
      .backend(config())
      .search({
        query: args.join(" "),
        topK: numberOption(options.top, "top", 5, 1, 20),
        minScore: numberOption(options.minScore, "min-score", 1, 1, 5, true),
        types: listOption(options.types),
        owners: listOption(options.owner),
      });
    if (options.json) output.out(JSON.stringify(outcome, null, 2));
    else output.out(formatSearch(outcome, language, { plain: true }));
    return 0;
  },
};

export const saveCommand: Command = {
  usage: "save <task> <content>",
  description: "Save knowledge, as verified by you (保存)",
  options: [
    { flags: "--types <list>", description: "Types, comma separated", default: "strategy" },
    { flags: "--score <n>", description: "How valuable (1-5)", default: "3" },
    { flags: "--source <name>", description: "Name of the resource it is about" },
    { flags: "--url <list>", description: "Links, comma separated" },
  ],
  async run({ output, language, config, hub }, [task = "", content = ""], options) {
    if (!task.trim() || !content.trim()) throw new Error(WORDS[language].empty);
    const source = sourceSchema.parse({
      name: typeof options.source === "string" ? options.source : "",
      urls: listOption(options.url),
    });
    const outcome = await hub()
      .backend(config())
      .save(
        {
          task,
          content,
          types: listOption(options.types) ?? ["strategy"],
          score: numberOption(options.score, "score", 3, 1, 5, true),
          source,
          tags: {},
        },
        HUMAN,
      );
    output.out(MESSAGES[language].saved[outcome.state](outcome.id));
    const near = formatNeighbours(outcome.neighbours, language);
    if (near) output.out(near);
    for (const notice of outcome.notices) output.out(inLanguage(notice, language));
    return 0;
  },
};

export const listCommand: Command = {
  usage: "list",
  description: "List items, newest first (列出)",
  options: [
    { flags: "--page <n>", description: "Page", default: "1" },
    { flags: "--page-size <n>", description: "Items a page (1-200)", default: "20" },
    { flags: "--types <list>", description: "Only items of all these types" },
    { flags: "--owner <list>", description: "Only items of these owners" },
    {
      flags: "--status <list>",
      description: "Only items with these statuses, e.g. pending,approved,quarantined,rejected",
    },
    { flags: "--json", description: "Print JSON" },
  ],
  async run({ output, language, config, hub }, _args, options) {
    noteRemote({ config, output, language });
    const page = numberOption(options.page, "page", 1, 1, 1_000_000);
    const size = numberOption(options.pageSize, "page-size", 20, 1, 200);
    const knowhub = hub();
    const { items, total } = knowhub.store().list(
      {
        origin: "",
        types: listOption(options.types),
        owners: listOption(options.owner),
        statuses: listOption(options.status),
      },
      page,
      size,
    );
    if (options.json) {
      output.out(JSON.stringify({ total, page, results: items.map((i) => i.record) }, null, 2));
      return 0;
    }
    for (const { record, trust } of items) {
      const suspicion = knowhub.screener.check(record);
      output.out(
        `${record.id}  ${oneLine(record.status)}/${trust}  ${record.eval.score}/5  ${oneLine(record.task)}${suspicion ? `  [${WORDS[language].hidden(suspicion.reason)}]` : ""}`,
      );
    }
    output.out(WORDS[language].ofTotal(items.length, total));
    return 0;
  },
};
