/**
 * Settings on their way to a browser: what looks like a key is taken out and put back when the document returns.
 * The settings hold keys only by mistake (they name environment variables), but `options` of a router are free.
 */
import { detect } from "@clawx/shared-security";

/** Stands in the place of a key; a write puts the value of the same place back. */
export const KEPT = "[kept: looks like a key, edit it on disk]";

/** Lists in which patterns and keywords stand: they name keys and are none. */
const RULE_LISTS = /^\/privacy\/(?:rules|routers\/[^/]+\/(?:keywords|patterns))\//;

export function hideKeys(value: unknown, at = ""): unknown {
  if (typeof value === "string") return isKey(value, at) ? KEPT : value;
  if (Array.isArray(value)) return value.map((item, i) => hideKeys(item, `${at}/${i}`));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      // A key by its name, whatever its form.
      typeof item === "string" && /(?:secret|password|passwd|api[_-]?key|token)$/i.test(name) && item !== ""
        ? KEPT
        : hideKeys(item, `${at}/${name}`),
    ]),
  );
}

/** @param current the document on disk */
export function restoreKeys(value: unknown, current: unknown): unknown {
  if (value === KEPT) return current ?? value;
  if (Array.isArray(value)) {
    // Of a list that got longer or shorter nobody knows which item is which: no key goes to another's place.
    const same = Array.isArray(current) && current.length === value.length ? current : [];
    return value.map((item, i) => restoreKeys(item, same[i]));
  }
  if (typeof value !== "object" || value === null) return value;
  const own = typeof current === "object" && current !== null ? (current as Record<string, unknown>) : {};
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      restoreKeys(item, Object.hasOwn(own, name) ? own[name] : undefined),
    ]),
  );
}

function isKey(text: string, at: string): boolean {
  if (RULE_LISTS.test(at)) return false;
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/\s@]+@/i.test(text)) return true;
  return detect(text).some((finding) => finding.level === "S3" && finding.type !== "KEYWORD");
}
