import { redactionReport } from "../extraction/extractor.ts";
import type { KnowledgeStore } from "../store/knowledge-store.ts";
import { revisions, undoRevision } from "../store/revisions.ts";
import type { StoredItem } from "../store/rows.ts";
import { diff, formatDiff } from "../text/diff.ts";
import type { Language } from "../tools/messages.ts";
import type { Command } from "./commands.ts";
import { numberOption } from "./items.ts";
import { oneLine } from "./output.ts";
import { WORDS } from "./words.ts";

function known(store: KnowledgeStore, id: string, language: Language): StoredItem {
  const item = store.get(id);
  if (!item) throw new Error(WORDS[language].noItem(id));
  return item;
}

/** An item that may be changed here: a server's is changed there, a change of its copy would be gone with the next answer. */
function own(store: KnowledgeStore, id: string, language: Language): StoredItem {
  const item = known(store, id, language);
  if (item.origin !== "") throw new Error(WORDS[language].isCopy(id, item.origin));
  return item;
}

export const showCommand: Command = {
  usage: "show <id>",
  description: "One item in full: text, votes, earlier wordings, why it is hidden (查看)",
  options: [
    { flags: "--undo", description: "Go back to the wording before the last change" },
    { flags: "--json", description: "Print JSON" },
  ],
  async run({ output, language, hub }, [id = ""], options) {
    const w = WORDS[language];
    const knowhub = hub();
    const store = knowhub.store();
    let item = options.undo ? own(store, id, language) : known(store, id, language);
    if (options.undo) {
      const undone = undoRevision(store, item, { author: "cli", now: Date.now() });
      if (!undone) throw new Error(w.oneWording(id));
      item = undone;
    }
    const history = revisions(store, id);
    const suspicion = knowhub.screener.check(item.record);
    if (options.json) {
      output.out(
        JSON.stringify(
          {
            ...item.record,
            trust: item.trust,
            origin: item.origin,
            revision: item.revision,
            suspicion: suspicion?.reason,
            revisions: history,
          },
          null,
          2,
        ),
      );
      return 0;
    }
    const { record } = item;
    const lines = [
      `${record.id}  ${oneLine(record.status)}  trust: ${item.trust}${item.origin ? `  copy of ${item.origin}` : ""}`,
      ...(suspicion ? [w.hiddenFromAgents(suspicion.reason)] : []),
      `task     ${oneLine(record.task)}`,
      `types    ${oneLine(record.types.join(", "))}`,
      `owner    ${oneLine(record.owner)}   source ${oneLine(`${record.source.name || "-"} ${record.source.urls.join(" ")}`)}`,
      `score    ${record.eval.score}/5  helpful ${record.eval.helpful}  harmful ${record.eval.harmful}  belief ${item.belief.toFixed(2)}`,
      `created  ${record.created_at}   updated ${record.updated_at}   revision ${item.revision}`,
      "",
      record.content,
    ];
    let after = record.content;
    for (const revision of history) {
      lines.push(
        "",
        w.replaced(
          revision.revision,
          new Date(revision.at).toISOString(),
          oneLine(revision.author),
          oneLine(revision.reason),
        ),
      );
      lines.push(formatDiff(diff(revision.content, after)));
      after = revision.content;
    }
    output.out(lines.join("\n"));
    return 0;
  },
};

export const verifyCommand: Command = {
  usage: "verify <id>",
  description: "Approve an item (trusted, out of quarantine), or reject it (验证)",
  options: [
    { flags: "--reject", description: "Reject: never shown again" },
    { flags: "--by <name>", description: "Who you are", default: "human" },
  ],
  async run({ output, language, config, hub }, [id = ""], options) {
    const knowhub = hub();
    const { curator } = knowhub.parts(config());
    const by = typeof options.by === "string" ? options.by : "human";
    const item = curator.verify(
      own(knowhub.store(), id, language),
      options.reject ? "reject" : "approve",
      { name: by, here: true },
      Date.now(),
    );
    output.out(`${id} ${item.record.status}`);
    const suspicion = options.reject ? undefined : knowhub.screener.check(item.record);
    if (suspicion) output.err(WORDS[language].stillHidden(suspicion.reason));
    return 0;
  },
};

export const outboxCommand: Command = {
  usage: "outbox",
  description: "What waits for the server, and what it refused (发件箱)",
  options: [
    { flags: "--retry", description: "Send everything again, refused ones too" },
    { flags: "--drop <number>", description: "Throw one away" },
    { flags: "--json", description: "Print JSON" },
  ],
  async run({ output, language, config, hub }, _args, options) {
    const w = WORDS[language];
    const { outbox } = hub().parts(config());
    if (typeof options.drop === "string") {
      const seq = numberOption(options.drop, "drop", 0, 1, Number.MAX_SAFE_INTEGER);
      if (!outbox.drop(seq)) throw new Error(w.noJob(seq));
    }
    if (options.retry) output.out(w.retried(outbox.retry(Date.now())));
    const jobs = outbox.list(200);
    if (options.json) {
      output.out(
        JSON.stringify(
          {
            ...outbox.depth(),
            jobs: jobs.map(({ body, ...job }) => ({ ...job, bytes: Buffer.byteLength(body) })),
          },
          null,
          2,
        ),
      );
      return 0;
    }
    for (const job of jobs) {
      const next = job.state === "waiting" ? `next ${new Date(job.nextAt).toISOString()}` : "REFUSED";
      output.out(
        `${job.seq}  ${job.kind} -> ${job.origin || "this gateway"}  ${Buffer.byteLength(job.body)} bytes  ${job.attempts} attempts  ${next}  ${oneLine(job.lastError)}`,
      );
    }
    const { waiting, refused } = outbox.depth();
    output.out(w.depth(waiting, refused));
    return 0;
  },
};

export const redactionsCommand: Command = {
  usage: "redactions",
  description: "What was taken out of each upload before it left; types and counts, never values (脱敏报告)",
  options: [
    { flags: "--limit <n>", description: "How many", default: "20" },
    { flags: "--json", description: "Print JSON" },
  ],
  async run({ output, language, hub }, _args, options) {
    const w = WORDS[language];
    const entries = redactionReport(hub().store(), numberOption(options.limit, "limit", 20, 1, 10_000));
    if (options.json) {
      output.out(JSON.stringify(entries, null, 2));
      return 0;
    }
    for (const { at, session, destination, messages, bytes, findings } of entries) {
      const removed =
        Object.entries(findings)
          .map(([type, n]) => `${n} ${type}`)
          .join(", ") || w.nothingPrivate;
      output.out(
        `${new Date(at).toISOString()}  ${oneLine(session)} -> ${destination}  ${messages} messages, ${bytes} bytes  ${w.removed}: ${removed}`,
      );
    }
    if (entries.length === 0) output.out(w.noUploads);
    return 0;
  },
};
