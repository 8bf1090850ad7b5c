import { type Sealed, seal, unseal, VaultError } from "./seal.ts";
import type { VaultEntry } from "./types.ts";

/** A vault as JSON data: in clear, or sealed with the owner's key. */
export type VaultSnapshot = { version: 1; content: SnapshotContent } | { version: 1; sealed: Sealed };

interface SnapshotContent {
  counters: Record<string, number>;
  entries: VaultEntry[];
}

/** A placeholder's number has at most nine digits. */
const MAX_COUNTER = 999_999_999;
const CONTEXT = "clawx vault snapshot v1";

export function writeSnapshot(
  vault: { counters: Record<string, number>; entries: readonly VaultEntry[] },
  key: Uint8Array | undefined,
): VaultSnapshot {
  const content: SnapshotContent = {
    counters: vault.counters,
    entries: vault.entries.map(({ token, value, type, level, session }) => ({
      token,
      value,
      type,
      level,
      session,
    })),
  };
  return key === undefined
    ? { version: 1, content }
    : { version: 1, sealed: seal(key, JSON.stringify(content), CONTEXT) };
}

/**
 * @param allowClear with a key, take a snapshot in clear as well: once, to bring an old one under the key
 * @throws VaultError when `snapshot` is not one, cannot be opened with `key`, or is not under the key that is given
 */
export function openSnapshot(
  snapshot: unknown,
  key: Uint8Array | undefined,
  allowClear = false,
): SnapshotContent {
  if (!isRecord(snapshot) || snapshot.version !== 1) throw notASnapshot("its version is not 1");
  const sealed = snapshot.sealed;
  if (sealed === undefined) {
    if (key !== undefined && !allowClear) {
      throw new VaultError(
        "the vault snapshot is not encrypted though a key is given, so anybody could have written it. To bring an old snapshot of your own under the key, load it once with allowClear and write it with the key",
      );
    }
    return parseContent(snapshot.content);
  }
  if (!isSealed(sealed)) throw notASnapshot("its sealed part is incomplete");
  if (key === undefined)
    throw new VaultError("the vault snapshot is encrypted: give the key it was written with");
  return parseContent(JSON.parse(unseal(key, sealed, CONTEXT)));
}

function parseContent(content: unknown): SnapshotContent {
  if (!isRecord(content) || !isRecord(content.counters) || !Array.isArray(content.entries)) {
    throw notASnapshot("counters or entries are missing");
  }
  const counters: Record<string, number> = {};
  for (const [name, value] of Object.entries(content.counters)) {
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0 || value > MAX_COUNTER)
      throw notASnapshot("a counter is not a whole number that a placeholder can have");
    counters[name] = value;
  }
  return { counters, entries: content.entries.map(parseEntry) };
}

function parseEntry(entry: unknown): VaultEntry {
  if (isRecord(entry)) {
    const { token, value, type, level, session } = entry;
    if (
      typeof token === "string" &&
      typeof value === "string" &&
      typeof type === "string" &&
      (level === "S2" || level === "S3") &&
      typeof session === "string"
    ) {
      return { token, value, type, level, session };
    }
  }
  throw notASnapshot("an entry is incomplete");
}

function isSealed(value: unknown): value is Sealed {
  return (
    isRecord(value) &&
    value.alg === "A256GCM" &&
    typeof value.iv === "string" &&
    typeof value.tag === "string" &&
    typeof value.data === "string"
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function notASnapshot(why: string): VaultError {
  return new VaultError(
    `not a vault snapshot: ${why}. Load the file that toJSON wrote, or start with an empty vault`,
  );
}
