/**
 * What `setup` would change: each provider's base URL, which is pointed at the egress proxy while the true one
 * is kept in clawxrouter.json; the remote of memory search; conversation access. Pure: shown first, done later.
 */
import type { RouterConfig } from "../config-file/schema.ts";
import { isProxyBaseUrl, proxyBaseUrl } from "../egress/base-url.ts";
import { EGRESS_APIS } from "../egress/types.ts";
import { type HostProvider, modelsNamed, pointerPart, viewHost } from "./host-view.ts";
import { type LocalitySettings, localityOf, trustHint } from "./locality.ts";

/** One value of openclaw.json before and after. `undefined`: absent. */
export interface ConfigChange {
  /** JSON pointer. */
  path: string;
  before: unknown;
  after: unknown;
  /** Why, for the user. */
  note: string;
}

export type Upstreams = RouterConfig["managed"]["upstreams"];

export interface SetupPlan {
  changes: ConfigChange[];
  upstreams: Upstreams;
  /** What setup cannot put behind the proxy, and what to do about it. */
  problems: string[];
}

/** Providers whose models the host may give to a runtime of their own (Codex for `openai/*`) unless told otherwise. */
const OWN_RUNTIME_NEEDED = new Set(["openai"]);

/** Id of the upstream that stands for `memory.search.remote`. */
export const MEMORY_UPSTREAM = "clawxrouter-memory";
const MEMORY_URL = "/memory/search/remote/baseUrl";

export interface SetupContext {
  port: number;
  installKey: string;
  localHosts: readonly string[];
  localProviders?: LocalitySettings["localProviders"];
  /** Upstreams of an earlier setup: a base URL that already is ours keeps its true upstream. */
  known: Upstreams;
  /** Where keys of bundled providers may be. */
  env?: Readonly<Record<string, string | undefined>>;
}

/** @param host openclaw.json as an object */
export function planSetup(host: unknown, context: SetupContext): SetupPlan {
  const view = viewHost(host, context.env);
  const plan: SetupPlan = { changes: [], upstreams: {}, problems: [] };
  const change = (path: string, after: unknown, note: string) => {
    const before = readPointer(host, path);
    if (!same(before, after)) plan.changes.push({ path, before, after, note });
  };
  change(
    "/plugins/entries/clawxrouter/hooks/allowConversationAccess",
    true,
    "lets ClawXRouter see messages, to route them",
  );
  for (const provider of view.providers.values())
    planProvider(provider, modelsNamed(view, provider.id), context, plan, change);
  if (view.memoryRemoteUrl !== undefined) {
    const baseUrl = trueUrl(view.memoryRemoteUrl, context.known[MEMORY_UPSTREAM]?.baseUrl);
    if (baseUrl === undefined) {
      plan.problems.push(
        "memory.search.remote.baseUrl points at a ClawXRouter proxy whose upstream is not known: set it to the true URL and run setup again",
      );
    } else {
      plan.upstreams[MEMORY_UPSTREAM] = {
        baseUrl,
        api: "openai-completions",
        local: localityOf(MEMORY_UPSTREAM, baseUrl, [], context).local,
      };
      change(
        MEMORY_URL,
        proxyBaseUrl(context.port, context.installKey, MEMORY_UPSTREAM, baseUrl),
        "embeddings go through the proxy (then run: openclaw memory index --force)",
      );
    }
  }
  return plan;
}

function planProvider(
  provider: HostProvider,
  models: readonly string[],
  context: SetupContext,
  plan: SetupPlan,
  change: (path: string, after: unknown, note: string) => void,
): void {
  const at = `/models/providers/${pointerPart(provider.id)}`;
  const known = context.known[provider.id];
  const baseUrl = provider.baseUrl === undefined ? known?.baseUrl : trueUrl(provider.baseUrl, known?.baseUrl);
  const api = provider.api ?? known?.api ?? "openai-completions";
  if (baseUrl === undefined) {
    plan.problems.push(
      `provider "${provider.id}" has no base URL that can be put behind the proxy: set models.providers.${provider.id}.baseUrl and .api, then run setup again`,
    );
    return;
  }
  if (!(EGRESS_APIS as readonly string[]).includes(api)) {
    plan.problems.push(
      `provider "${provider.id}" speaks "${api}", which the proxy does not read: do not use it for private text`,
    );
    return;
  }
  let patched: string;
  try {
    patched = proxyBaseUrl(context.port, context.installKey, provider.id, baseUrl);
  } catch (error) {
    plan.problems.push(
      `provider "${provider.id}": ${error instanceof Error ? error.message : String(error)}`,
    );
    return;
  }
  const { local, why, doubted } = localityOf(provider.id, baseUrl, models, context);
  plan.upstreams[provider.id] = { baseUrl, api, local };
  const note = local
    ? `local model (${why}): placeholders are restored on the way to ${baseUrl}`
    : `requests to ${baseUrl} are redacted on the way${doubted ? ` (${why}; ${trustHint(provider.id)})` : ""}`;
  const runtime = OWN_RUNTIME_NEEDED.has(provider.id) ? { agentRuntime: { id: "openclaw" } } : {};
  if (provider.configured) {
    change(`${at}/baseUrl`, patched, note);
    if (runtime.agentRuntime !== undefined) {
      change(
        `${at}/agentRuntime`,
        runtime.agentRuntime,
        "keeps the agent in OpenClaw: another runtime passes neither proxy nor hooks",
      );
    }
    // The host derives the endpoint from `api`; without it a patched bundled provider may change its protocol.
    change(`${at}/api`, api, "keeps the provider's protocol");
  } else {
    change(at, { baseUrl: patched, api, models: [], ...runtime }, note);
  }
}

/** The URL behind a base URL; undefined when it is one of ours and nobody knows what it stood for. */
function trueUrl(current: string, known: string | undefined): string | undefined {
  return isProxyBaseUrl(current) ? known : current;
}

/** Puts changes into a config object. */
export function applyChanges(
  target: Record<string, unknown>,
  changes: readonly { path: string; after?: unknown }[],
): void {
  for (const change of changes) writePointer(target, change.path, change.after);
}

export interface RevertResult {
  reverted: string[];
  /** Places that were changed by somebody else since: left alone. */
  kept: string[];
}

/** A change as setup keeps it. */
export interface RecordedChange {
  path: string;
  before?: unknown;
  after?: unknown;
  /** The user's own text, where it is not the value: `${VAR}`. */
  written?: unknown;
}

/** Takes changes back where the value still is what setup wrote; empty parents that setup made go too. */
export function revertChanges(
  target: Record<string, unknown>,
  changes: readonly RecordedChange[],
): RevertResult {
  const result: RevertResult = { reverted: [], kept: [] };
  for (const change of [...changes].reverse()) {
    const now = readPointer(target, change.path);
    if (!same(now, change.after)) {
      // What a setup that was broken off never wrote, or what is put back already, nobody has changed.
      if (!same(now, change.before)) result.kept.push(change.path);
      continue;
    }
    writePointer(target, change.path, change.written ?? change.before);
    if (change.before === undefined) dropEmptyParents(target, change.path);
    result.reverted.push(change.path);
  }
  return result;
}

/**
 * Gives every base URL that still leads to the proxy its true one: with `unset` the address behind it is forgotten.
 * @returns the places that were put right
 */
export function revertProxied(
  target: Record<string, unknown>,
  upstreams: Upstreams,
  changes: readonly RecordedChange[] = [],
): string[] {
  const places = Object.entries(upstreams).map(([id, { baseUrl }]) => {
    const path = id === MEMORY_UPSTREAM ? MEMORY_URL : `/models/providers/${pointerPart(id)}/baseUrl`;
    const own = changes.find((change) => change.path === path && change.before === baseUrl);
    return { path, baseUrl: own?.written ?? baseUrl };
  });
  const stale = places.filter(({ path }) => {
    const now = readPointer(target, path);
    return typeof now === "string" && isProxyBaseUrl(now);
  });
  for (const { path, baseUrl } of stale) writePointer(target, path, baseUrl);
  return stale.map(({ path }) => path);
}

function parts(path: string): string[] {
  return path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function readPointer(value: unknown, path: string): unknown {
  let at = value;
  for (const part of parts(path)) {
    if (typeof at !== "object" || at === null) return undefined;
    at = (at as Record<string, unknown>)[part];
  }
  return at;
}

function writePointer(target: Record<string, unknown>, path: string, value: unknown): void {
  const keys = parts(path);
  const last = keys.pop();
  if (last === undefined) return;
  let at = target;
  for (const key of keys) {
    const next = at[key];
    if (typeof next === "object" && next !== null) at = next as Record<string, unknown>;
    else {
      if (value === undefined) return;
      const made: Record<string, unknown> = {};
      at[key] = made;
      at = made;
    }
  }
  if (value === undefined) delete at[last];
  else at[last] = structuredClone(value);
}

function dropEmptyParents(target: Record<string, unknown>, path: string): void {
  const keys = parts(path);
  while (keys.length > 1) {
    keys.pop();
    const pointer = `/${keys.map(pointerPart).join("/")}`;
    const value = readPointer(target, pointer);
    if (typeof value !== "object" || value === null || Object.keys(value).length > 0) return;
    writePointer(target, pointer, undefined);
  }
}

/** Equal as JSON values, whatever the order of keys. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]));
}
