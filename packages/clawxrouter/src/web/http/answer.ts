/** Writing answers: the headers that every one carries, JSON, errors. */
import type { ServerResponse } from "node:http";
import { ApiError } from "./errors.ts";

/** Scripts, styles and connections of the page's own origin, and nothing inline. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
].join("; ");

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "SAMEORIGIN",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "x-robots-tag": "noindex, nofollow",
};

/** What a disk says that is full, or not to be written. */
const DISK_CODES = ["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "EIO", "EMFILE"] as const;

/** Called before anything else is done: also an error carries them. */
export function secure(response: ServerResponse): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
  response.setHeader("cache-control", "no-store");
  response.setHeader("vary", "Cookie, Origin, Sec-Fetch-Site");
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.statusCode = status;
  sendText(response, JSON.stringify(value));
}

/** @param text JSON */
export function sendText(response: ServerResponse, text: string): void {
  const bytes = Buffer.from(text);
  response.setHeader("content-type", "application/json; charset=utf-8");
  response.setHeader("content-length", bytes.length);
  response.end(bytes);
}

/** @param log told of what is no answer but a fault of ours */
export function sendError(response: ServerResponse, error: unknown, log: (message: string) => void): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (error instanceof ApiError) {
    const { retryAfterMs } = error.details;
    if (retryAfterMs !== undefined) response.setHeader("retry-after", Math.ceil(retryAfterMs / 1_000));
    // What was not read of the body must not be taken for the next request.
    if (error.status === 413 || error.status === 415) response.setHeader("connection", "close");
    sendJson(response, error.status, error.body());
    return;
  }
  const disk = DISK_CODES.find((code) => error instanceof Error && "code" in error && error.code === code);
  log(`clawxrouter: dashboard: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const internal = new ApiError(
    "internal",
    disk === undefined
      ? "something went wrong; the gateway's log says what"
      : `the gateway's disk refused it (${disk}): make room or mend its permissions, then try again`,
  );
  sendJson(response, internal.status, internal.body());
}
