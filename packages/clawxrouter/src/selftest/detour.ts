/**
 * While a self-test of the CLI runs, the gateway's proxy sends requests to the self-test's recorder. The detour is a
 * file in ClawXRouter's private folder: who can write there could change clawxrouter.json as well. It leads to
 * loopback only and ends by itself.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { writePrivateFile } from "../config-file/file.ts";
import { EGRESS_APIS, type Upstream } from "../egress/types.ts";
import { isLocalUrl } from "../setup/local-host.ts";

const FILE = "selftest.json";
/** A self-test that was killed must not leave the gateway on a detour. */
const LIFETIME_MS = 5 * 60_000;
/** How long a look at the file is good for, in milliseconds. */
const FRESH_MS = 200;

export function setDetour(dataDir: string, upstreams: Record<string, Upstream>): () => void {
  const file = path.join(dataDir, FILE);
  const write = () => writePrivateFile(file, JSON.stringify({ until: Date.now() + LIFETIME_MS, upstreams }));
  write();
  // On a slow machine a test may take longer: its made-up values must not go on to the real cloud.
  const timer = setInterval(write, LIFETIME_MS / 5).unref();
  return () => {
    clearInterval(timer);
    rmSync(file, { force: true });
  };
}

/** Reads the detour, at most every {@link FRESH_MS}. */
export class DetourReader {
  private readonly file: string;
  private readAt = Number.NEGATIVE_INFINITY;
  private upstreams: Record<string, Upstream> = {};

  constructor(dataDir: string) {
    this.file = path.join(dataDir, FILE);
  }

  now(): Readonly<Record<string, Upstream>> {
    const at = performance.now();
    if (at - this.readAt < FRESH_MS) return this.upstreams;
    this.readAt = at;
    this.upstreams = this.read(Date.now());
    return this.upstreams;
  }

  private read(now: number): Record<string, Upstream> {
    if (!existsSync(this.file)) return {};
    try {
      const { until, upstreams } = JSON.parse(readFileSync(this.file, "utf8")) as {
        until?: unknown;
        upstreams?: unknown;
      };
      if (
        typeof until !== "number" ||
        until < now ||
        until > now + LIFETIME_MS ||
        typeof upstreams !== "object" ||
        upstreams === null
      )
        return {};
      const valid: Record<string, Upstream> = {};
      for (const [id, value] of Object.entries(upstreams as Record<string, Partial<Upstream>>)) {
        const api = EGRESS_APIS.find((name) => name === value.api);
        if (api === undefined || typeof value.baseUrl !== "string" || !isLocalUrl(value.baseUrl, []))
          continue;
        valid[id] = { baseUrl: value.baseUrl, api, local: value.local === true };
      }
      return valid;
    } catch {
      return {};
    }
  }
}
