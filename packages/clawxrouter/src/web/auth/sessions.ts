/**
 * Who is signed in. The browser holds a random token in an HttpOnly cookie; on disk (0600) is its hash, so that a
 * restart of the gateway signs nobody out. The CSRF token is derived from the cookie's, which no script can read.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { writePrivateFile } from "../../config-file/file.ts";
import { BASE_PATH } from "../routes.ts";

/** Longest that a session lasts, in milliseconds. */
export const SESSION_LIFETIME_MS = 7 * 86_400_000;
const MOST = 50;
/** How far a clock may be set back, in milliseconds, before a session counts as one of the future. */
const CLOCK_SLACK_MS = 86_400_000;

const Kept = Type.Array(
  Type.Object({
    hash: Type.String(),
    at: Type.Number(),
    /** Changes with the gateway's token: whoever signed in by an old one signs in again. */
    realm: Type.String(),
  }),
);

export interface Session {
  /** Names the session in this process; no secret. */
  id: string;
  csrf: string;
  expiresAt: number;
}

export interface SessionsOptions {
  dataDir: string;
  /** Live: changes when all sessions must end. */
  realm: () => string;
  now?: () => number;
}

export class Sessions {
  private readonly options: SessionsOptions;
  private readonly file: string;
  private readonly cookie: string;
  private kept: Static<typeof Kept>;

  constructor(options: SessionsOptions) {
    this.options = options;
    this.file = path.join(options.dataDir, "dashboard-sessions.json");
    // Cookies know no ports: two gateways on one machine must not sign each other out.
    this.cookie = `clawxrouter_${createHash("sha256").update(options.dataDir).digest("hex").slice(0, 8)}`;
    this.kept = load(this.file);
  }

  /** Signs the browser in. */
  begin(response: ServerResponse, secure: boolean): Session {
    const token = randomBytes(32).toString("base64url");
    const at = this.now();
    this.kept = [
      ...this.alive().slice(-(MOST - 1)),
      { hash: hashOf(token), at, realm: this.options.realm() },
    ];
    try {
      this.save();
    } catch {
      // A full disk: it lasts until the gateway restarts.
    }
    this.setCookie(response, token, SESSION_LIFETIME_MS, secure);
    return sessionOf(token, at);
  }

  /** The session of a request, if there is one. */
  of(request: IncomingMessage): Session | undefined {
    const token = this.tokenOf(request);
    if (token === undefined) return undefined;
    const hash = hashOf(token);
    const found = this.alive().find((entry) => sameText(entry.hash, hash));
    return found === undefined ? undefined : sessionOf(token, found.at);
  }

  /** @param id of {@link Session} */
  isAlive(id: string): boolean {
    return this.alive().some((entry) => entry.hash.startsWith(id));
  }

  end(request: IncomingMessage, response: ServerResponse): void {
    const token = this.tokenOf(request);
    this.setCookie(response, "", 0, false);
    if (token === undefined) return;
    const hash = hashOf(token);
    this.kept = this.alive().filter((entry) => entry.hash !== hash);
    try {
      this.save();
    } catch {
      // A full disk: rather everybody signs in again after a restart than somebody who has signed out is let in.
      rmSync(this.file, { force: true });
    }
  }

  private alive(): Static<typeof Kept> {
    const realm = this.options.realm();
    const now = this.now();
    return this.kept.filter(
      (entry) =>
        entry.realm === realm &&
        now - entry.at < SESSION_LIFETIME_MS &&
        // One of the future: the clock was set back, and it would last too long.
        entry.at - now < CLOCK_SLACK_MS,
    );
  }

  private tokenOf(request: IncomingMessage): string | undefined {
    for (const part of (request.headers.cookie ?? "").split(";")) {
      const [name, value] = part.trim().split("=", 2);
      if (name === this.cookie && value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value)) return value;
    }
    return undefined;
  }

  private setCookie(response: ServerResponse, value: string, lifeMs: number, secure: boolean): void {
    response.appendHeader(
      "set-cookie",
      `${this.cookie}=${value}; Path=${BASE_PATH}; Max-Age=${Math.floor(lifeMs / 1_000)}; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}`,
    );
  }

  private save(): void {
    writePrivateFile(this.file, `${JSON.stringify(this.kept)}\n`);
  }

  private now(): number {
    return (this.options.now ?? Date.now)();
  }
}

function load(file: string): Static<typeof Kept> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Value.Check(Kept, value) ? value : [];
  } catch {
    return [];
  }
}

function sessionOf(token: string, at: number): Session {
  const derived = createHmac("sha256", token);
  return {
    id: hashOf(token).slice(0, 16),
    csrf: derived.update("clawxrouter csrf").digest("base64url"),
    expiresAt: at + SESSION_LIFETIME_MS,
  };
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Constant time for texts of any length. */
export function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
