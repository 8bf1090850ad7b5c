/** The page's files, as the build left them in `dist/web`. Read once; a request only names one of them. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { ApiError } from "./errors.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

interface Asset {
  type: string;
  bytes: Buffer;
  gzip: Buffer | undefined;
  etag: string;
}

export class Assets {
  private readonly files = new Map<string, Asset>();
  private readonly index: Asset | undefined;

  /** @param dir folder with `index.html` and `assets/` */
  constructor(dir = builtWeb()) {
    this.index = load(path.join(dir, "index.html"));
    const folder = path.join(dir, "assets");
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const asset = load(path.join(folder, name));
      if (asset !== undefined) this.files.set(name, asset);
    }
  }

  page(request: IncomingMessage, response: ServerResponse): void {
    if (this.index === undefined) {
      throw new ApiError("not-found", "the page was not built", {
        fix: "run: node scripts/build.ts clawxrouter (the API below api/ works without it)",
      });
    }
    send(request, response, this.index, "no-store");
  }

  /** @param name as requested; names are hashed by content, so what is sent stays good for ever */
  file(name: string, request: IncomingMessage, response: ServerResponse): void {
    const asset = this.files.get(name);
    if (asset === undefined) throw new ApiError("not-found", "there is no such file");
    send(request, response, asset, "public, max-age=31536000, immutable");
  }
}

function send(request: IncomingMessage, response: ServerResponse, asset: Asset, caching: string): void {
  response.setHeader("cache-control", caching);
  response.setHeader("etag", asset.etag);
  if (caching !== "no-store" && request.headers["if-none-match"] === asset.etag) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const zip = asset.gzip !== undefined && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  const bytes = zip && asset.gzip !== undefined ? asset.gzip : asset.bytes;
  if (zip) response.setHeader("content-encoding", "gzip");
  response.appendHeader("vary", "Accept-Encoding");
  response.setHeader("content-type", asset.type);
  response.setHeader("content-length", bytes.length);
  response.statusCode = 200;
  response.end(request.method === "HEAD" ? undefined : bytes);
}

function load(file: string): Asset | undefined {
  const type = TYPES[path.extname(file)];
  if (type === undefined || !existsSync(file)) return undefined;
  const bytes = readFileSync(file);
  const gzip = /^(?:text|application)|svg/.test(type) ? gzipSync(bytes) : undefined;
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  return { type, bytes, gzip, etag };
}

/** Bundled, this module is `dist/index.js`; in the repository it is `src/web/http/assets.ts`. */
function builtWeb(): string {
  const here = import.meta.url;
  return fileURLToPath(new URL(here.endsWith(".ts") ? "../../../dist/web" : "./web", here));
}
