/**
 * Who may ask at all, before any session is looked at. The host leaves plugin routes open to every Host and Origin, so
 * a page in the user's browser could ask as the user: DNS rebinding shows in Host, cross-site requests in Origin and
 * Sec-Fetch-Site (https://www.w3.org/TR/fetch-metadata/).
 */
import type { IncomingMessage } from "node:http";
import { ApiError } from "./errors.ts";

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** @param hosts names besides loopback, from `dashboard.hosts` */
export function checkHost(request: IncomingMessage, hosts: readonly string[]): void {
  const header = request.headers.host ?? "";
  const url = header !== "" && /^[A-Za-z0-9.:[\]-]+$/.test(header) ? parse(`http://${header}`) : undefined;
  const name = url?.hostname.toLowerCase();
  if (name !== undefined && (LOOPBACK.has(name) || hosts.some((host) => host.toLowerCase() === name))) return;
  throw new ApiError("bad-host", "this address is not one of the dashboard's", {
    fix: 'open it at http://127.0.0.1, or add the host name to "dashboard.hosts" in clawxrouter.json',
  });
}

/** A question whose answer may hold data: only from the page itself or typed by the user. */
export function checkRead(request: IncomingMessage): void {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") throw crossSite();
  const { origin } = request.headers;
  if (origin !== undefined && !isOwnOrigin(origin, request)) throw crossSite();
}

/** A write: only from the page itself, and only as JSON, which no form can send. */
export function checkWrite(request: IncomingMessage): void {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") throw crossSite();
  const { origin } = request.headers;
  if (origin !== undefined && !isOwnOrigin(origin, request)) throw crossSite();
  const type = request.headers["content-type"] ?? "";
  if (!/^application\/json\s*(?:;\s*charset=utf-8\s*)?$/i.test(type))
    throw new ApiError("bad-content-type", "the body must be application/json");
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity")
    throw new ApiError("bad-content-type", "compressed bodies are not served");
}

/** What proxies add; one of these is enough to take a request for somebody else's. */
const FORWARDED =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-client-ip|true-client-ip|cf-.*|tailscale-.*)$/;

/** From this machine, by a loopback name, and not on behalf of another one. */
export function isLocal(request: IncomingMessage): boolean {
  const address = request.socket.remoteAddress ?? "";
  const forwarded = Object.keys(request.headers).some((name) => FORWARDED.test(name));
  // A proxy that adds nothing still passes on, or makes up, another name than ours.
  const name = parse(`http://${request.headers.host ?? ""}`)?.hostname ?? "";
  return !forwarded && LOOPBACK.has(name) && /^(?:127\.|::1$|::ffff:127\.)/.test(address);
}

function isOwnOrigin(origin: string, request: IncomingMessage): boolean {
  const url = parse(origin);
  return (
    url !== undefined &&
    (url.protocol === "http:" || url.protocol === "https:") &&
    url.host === (request.headers.host ?? "").toLowerCase().replace(/:80$|:443$/, "")
  );
}

function parse(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

function crossSite(): ApiError {
  return new ApiError("bad-origin", "requests of other sites are not served");
}
