/** Carries out a setup plan and takes it back. The host's own config writer is passed in. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { editConfigFile, replaceFile } from "../config-file/file.ts";
import type { RouterConfig } from "../config-file/schema.ts";
import { isProxyBaseUrl } from "../egress/base-url.ts";
import {
  applyChanges,
  type RevertResult,
  readPointer,
  revertChanges,
  revertProxied,
  type SetupPlan,
  same,
} from "./plan.ts";

/**
 * Changes openclaw.json through the host; resolves with the file's path. `authored` is the file as its user wrote it,
 * with `${VAR}` where `draft` has the values.
 */
export type MutateHost = (
  mutate: (draft: Record<string, unknown>, authored: unknown) => void,
) => Promise<string>;

/**
 * Writes first what is needed to go on and to go back (the true upstreams, the values before), then the host's config:
 * stopped at any moment in between, the host never talks to a proxy that does not know where to go, and `unset` takes
 * back whatever has been written.
 */
export async function applySetup(
  plan: SetupPlan,
  configFile: string,
  hostFile: string,
  mutate: MutateHost,
): Promise<void> {
  const before = readText(hostFile);
  editConfigFile(configFile, (raw) => {
    const { originalText: earlier, ...managed } = managedOf(raw);
    const first = managed.changes === undefined || managed.changes.length === 0;
    // A second setup keeps the original of the first, unless somebody has written in between: his words would be lost.
    const untouched = before !== undefined && managed.writtenSha256 === sha256(before);
    const original = first ? before : untouched ? earlier : undefined;
    raw.managed =
      plan.changes.length === 0
        ? { ...managedOf(raw), upstreams: plan.upstreams }
        : {
            ...managed,
            upstreams: plan.upstreams,
            changes: mergeChanges(managed.changes ?? [], plan),
            ...(original === undefined ? {} : { originalText: original }),
          };
  });
  if (plan.changes.length === 0) return;
  const written = await mutate((draft, authored) => {
    editConfigFile(configFile, (raw) => {
      raw.managed = {
        ...managedOf(raw),
        changes: withAuthored(managedOf(raw).changes ?? [], plan, authored),
      };
    });
    applyChanges(draft, plan.changes);
  });
  const after = readText(written) ?? "";
  editConfigFile(configFile, (raw) => {
    raw.managed = { ...managedOf(raw), writtenSha256: sha256(after) };
  });
}

/** How `unset` went. */
export interface UnsetResult extends RevertResult {
  /** openclaw.json is byte for byte what it was before setup. */
  exact: boolean;
}

/** Puts openclaw.json back: byte for byte when nobody wrote it since, else value by value. */
export async function applyUnset(
  config: RouterConfig,
  configFile: string,
  hostFile: string,
  mutate: MutateHost,
): Promise<UnsetResult> {
  const { changes, originalText, writtenSha256 } = config.managed;
  let result: UnsetResult = { exact: false, reverted: [], kept: [] };
  if (originalText !== undefined && writtenSha256 === sha256(readText(hostFile) ?? "")) {
    replaceFile(hostFile, originalText);
    result = { exact: true, reverted: changes.map((change) => change.path), kept: [] };
  } else if (changes.length > 0) {
    await mutate((draft) => {
      const { reverted, kept } = revertChanges(draft, changes);
      const proxied = revertProxied(draft, config.managed.upstreams, changes);
      result = {
        exact: false,
        reverted: [...reverted, ...proxied],
        kept: kept.filter((place) => !proxied.includes(place)),
      };
    });
  }
  editConfigFile(configFile, (raw) => {
    delete raw.managed;
  });
  return result;
}

type Managed = Partial<RouterConfig["managed"]>;

function managedOf(raw: Record<string, unknown>): Managed {
  return typeof raw.managed === "object" && raw.managed !== null ? (raw.managed as Managed) : {};
}

/** A place changed twice keeps its first `before`, unless somebody wrote something else there in between. */
function mergeChanges(
  earlier: NonNullable<Managed["changes"]>,
  plan: SetupPlan,
): NonNullable<Managed["changes"]> {
  const merged = new Map(earlier.map((change) => [change.path, change]));
  for (const { path, before, after } of plan.changes) {
    const first = merged.get(path);
    if (first !== undefined && (same(before, first.after) || isOurs(before)))
      merged.set(path, { ...first, after });
    else merged.set(path, { path, ...(before === undefined ? {} : { before }), after });
  }
  return [...merged.values()];
}

/** Notes the user's own text of what is changed now, where the value comes from elsewhere (a variable). */
function withAuthored(
  changes: NonNullable<Managed["changes"]>,
  plan: SetupPlan,
  authored: unknown,
): NonNullable<Managed["changes"]> {
  const now = new Map(plan.changes.map((change) => [change.path, change.before]));
  return changes.map((change) => {
    const written = readPointer(authored, change.path);
    const isFirst = now.has(change.path) && same(now.get(change.path), change.before);
    return isFirst && written !== undefined && !same(written, change.before)
      ? { ...change, written }
      : change;
  });
}

/** A base URL that leads to the proxy is no true one, whoever wrote it. */
function isOurs(value: unknown): boolean {
  return typeof value === "string" && isProxyBaseUrl(value);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
