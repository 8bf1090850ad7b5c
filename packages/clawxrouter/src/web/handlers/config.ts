/** Settings: read, check, write, take back. */

import { type ConfigDocument as Document, NOT_EDITABLE, VersionConflict } from "../../api/config.ts";
import { rulesEffect, sameRules } from "../../api/rules-effect.ts";
import { ConfigError, defaultConfig } from "../../config-file/parse.ts";
import type { RouterConfig } from "../../config-file/schema.ts";
import { ConfigFileSchema } from "../../config-file/schema.ts";
import { REFUSE_MS_PER_100KB, REFUSE_TOGETHER_MS_PER_100KB } from "../../dashboard-worker/check-rules.ts";
import type { Dashboard, Handlers } from "../context.ts";
import type { ConfigDocument, Fault } from "../contract.ts";
import { ApiError } from "../http/errors.ts";
import { refuseDeep } from "../http/read-json.ts";
import { sessionKeysOf } from "../session-keys.ts";

/** Patterns that the page takes; a list of more is one of keywords, of which there may be many. */
const MOST_PATTERNS = 1_000;
/** Detections that a change of rules is tried on. */
const PREVIEWED = 300;

export const configHandlers: Handlers<
  | "config"
  | "writeConfig"
  | "validateConfig"
  | "previewConfig"
  | "exportConfig"
  | "importConfig"
  | "configHistory"
  | "undoConfig"
  | "configSchema"
> = {
  config({ dashboard, response }) {
    const document = documentOf(dashboard.api.config.read());
    response.setHeader("etag", `"${document.version}"`);
    return document;
  },

  async writeConfig({ dashboard, body, audit }) {
    return write(dashboard, refuseMany(body.raw), body.version, audit);
  },

  async importConfig({ dashboard, body, audit }) {
    return write(dashboard, textOf(body.text), body.version, audit);
  },

  validateConfig({ dashboard, body }) {
    const given = "text" in body ? textOf(body.text) : refuseMany(body.raw);
    const faults = attempt(() => dashboard.api.config.validate(given));
    return { ok: faults.length === 0, faults: faults.map(faultOf) };
  },

  async previewConfig({ dashboard, body }) {
    return previewOf(dashboard, "text" in body ? textOf(body.text) : refuseMany(body.raw));
  },

  exportConfig({ dashboard, response }) {
    response.statusCode = 200;
    response.setHeader("content-type", "application/json; charset=utf-8");
    response.setHeader("content-disposition", 'attachment; filename="clawxrouter.json"');
    response.end(dashboard.api.config.exported());
    return undefined;
  },

  configHistory: ({ dashboard }) => ({ items: dashboard.api.config.historyWithChanges() }),

  undoConfig({ dashboard, body, audit }) {
    const { config } = dashboard.api;
    const known =
      body.id === undefined ? config.read().canUndo : config.history().some(({ id }) => id === body.id);
    if (!known) throw new ApiError("not-found", "there is no such earlier version to go back to");
    const document = attempt(() => dashboard.api.config.undo(body.id, body.version));
    audit("undo", body.id ?? "the last change");
    return documentOf(document);
  },

  configSchema() {
    const { managed: _, ...defaults } = defaultConfig();
    return {
      schema: structuredClone(ConfigFileSchema) as unknown as Record<string, unknown>,
      defaults,
      diskOnly: [...NOT_EDITABLE],
    };
  },
};

export function documentOf(document: Document): ConfigDocument {
  const { version, raw, effective, error, canUndo } = document;
  return {
    version,
    raw,
    effective,
    error: error === undefined ? null : { message: error.message, faults: error.faults.map(faultOf) },
    canUndo,
  };
}

/** What a change would do; faults are part of the answer, not an error. */
export async function previewOf(dashboard: Dashboard, given: unknown) {
  const { engine, worker, api } = dashboard;
  let preview: ReturnType<typeof api.config.preview>;
  try {
    preview = api.config.preview(given);
    await refuseSlow(dashboard, preview.config);
  } catch (error) {
    if (error instanceof ConfigError)
      return { ok: false, faults: error.faults.map(faultOf), changes: [], effect: null };
    if (error instanceof ApiError && error.details.faults !== undefined)
      return { ok: false, faults: error.details.faults, changes: [], effect: null };
    throw error;
  }
  const { rules } = preview.config.privacy;
  if (sameRules(rules, engine.config().privacy.rules))
    return { ok: true, faults: [], changes: preview.changes, effect: null };
  engine.ledger().settle();
  const rows = await worker.ask("recent", { limit: PREVIEWED });
  const effect = await rulesEffect(engine, rows, rules);
  const keys = sessionKeysOf(engine);
  const samples = effect.samples.map((sample) => ({
    ...sample,
    session: sample.session === null ? null : keys.hide(sample.session),
  }));
  return { ok: true, faults: [], changes: preview.changes, effect: { ...effect, samples } };
}

/** Errors of the domain as the contract has them. */
export function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asApiError(error);
  }
}

export function asApiError(error: unknown): unknown {
  if (error instanceof VersionConflict)
    return new ApiError("conflict", error.message, { version: error.version });
  if (error instanceof ConfigError) {
    const [first] = error.faults;
    const forbidden = error.faults.some((fault) => fault.path.endsWith("/module"));
    return new ApiError(
      forbidden ? "forbidden" : "invalid",
      first === undefined ? "the settings are not valid" : `${first.path || "/"}: ${first.message}`,
      {
        ...(first === undefined ? {} : { path: first.path }),
        ...(first?.line === undefined ? {} : { line: first.line }),
        faults: error.faults.map(faultOf),
      },
    );
  }
  return error;
}

export async function write(
  dashboard: Dashboard,
  given: unknown,
  version: string,
  audit: (action: "config", detail: string) => unknown,
): Promise<ConfigDocument> {
  const preview = attempt(() => dashboard.api.config.preview(given));
  await refuseSlow(dashboard, preview.config);
  const document = attempt(() => dashboard.api.config.write(given, version));
  audit(
    "config",
    preview.changes
      .map(({ path }) => path)
      .join(" ")
      .slice(0, 900) || "no change",
  );
  await dashboard.engine.settings.ready();
  return documentOf(document);
}

/** New patterns must not hold the gateway up: they are measured before they are taken. */
async function refuseSlow({ engine, worker }: Dashboard, next: RouterConfig): Promise<void> {
  const known = new Set(patternsOf(engine.config()).map(({ pattern }) => pattern));
  const all = patternsOf(next);
  const fresh = all.filter(({ pattern }) => !known.has(pattern));
  if (fresh.length === 0) return;
  let report: Awaited<ReturnType<typeof worker.ask<"rules">>>;
  try {
    const patterns = fresh.map(({ pattern }) => pattern);
    const together = all.map(({ pattern }) => pattern);
    report = await worker.ask("rules", { patterns, keywords: [], sample: undefined, together });
  } catch {
    throw new ApiError("invalid", "a pattern takes too long to check", {
      faults: fresh.map(({ path }) => ({ path, line: null, message: "one of these patterns is too slow" })),
    });
  }
  const slow = fresh.filter((_, i) => report.patterns[i]?.cost?.verdict === "refused");
  if (slow.length === 0) {
    if ((report.togetherMsPer100kB ?? 0) <= REFUSE_TOGETHER_MS_PER_100KB) return;
    const message = `all patterns together take more than ${REFUSE_TOGETHER_MS_PER_100KB} ms for 100 kB of text: they would hold up the gateway`;
    throw new ApiError("invalid", message, {
      path: fresh[0]?.path ?? "",
      faults: fresh.slice(0, 20).map(({ path }) => ({ path, line: null, message })),
    });
  }
  const message = `more than ${REFUSE_MS_PER_100KB} ms for 100 kB of text: it would hold up the gateway`;
  throw new ApiError("invalid", `${slow[0]?.path}: ${message}`, {
    path: slow[0]?.path ?? "",
    faults: slow.map(({ path }) => ({ path, line: null, message })),
  });
}

/** An editor may begin a file with a byte order mark, which JSON does not know. */
function textOf(given: string): string {
  const text = given.replace(/^\ufeff/, "");
  refuseDeep(text);
  try {
    refuseMany(JSON.parse(text));
  } catch (error) {
    // What is no JSON is said with its line by who reads the settings.
    if (error instanceof ApiError) throw error;
  }
  return text;
}

/** Every pattern is compiled to see whether it is one: not thousands of them in the gateway's own thread. */
function refuseMany<T>(raw: T): T {
  const at = (value: unknown, key: string): unknown =>
    typeof value === "object" && value !== null && Object.hasOwn(value, key)
      ? (value as Record<string, unknown>)[key]
      : undefined;
  const privacy = at(raw, "privacy");
  const routers = at(privacy, "routers");
  const lists = [
    at(privacy, "rules"),
    ...Object.values(typeof routers === "object" && routers ? routers : {}),
  ]
    .map((owner: unknown) => at(owner, "patterns"))
    .flatMap((patterns) => [at(patterns, "S2"), at(patterns, "S3")]);
  const n = lists.reduce((sum: number, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
  if (n > MOST_PATTERNS)
    throw new ApiError(
      "invalid",
      `at most ${MOST_PATTERNS} patterns, these are ${n}: use keywords where you can`,
      {
        path: "/privacy/rules/patterns",
      },
    );
  return raw;
}

function patternsOf({ privacy }: RouterConfig): { path: string; pattern: string }[] {
  const lists: [string, { S2: string[]; S3: string[] }][] = [
    ["/privacy/rules/patterns", privacy.rules.patterns],
    ...Object.entries(privacy.routers).map(
      ([id, entry]) =>
        [`/privacy/routers/${id}/patterns`, entry.patterns] as [string, { S2: string[]; S3: string[] }],
    ),
  ];
  return lists.flatMap(([at, list]) =>
    (["S2", "S3"] as const).flatMap((level) =>
      list[level].map((pattern, i) => ({ path: `${at}/${level}/${i}`, pattern })),
    ),
  );
}

function faultOf(fault: { path: string; line: number | undefined; message: string }): Fault {
  return { path: fault.path, line: fault.line ?? null, message: fault.message };
}
