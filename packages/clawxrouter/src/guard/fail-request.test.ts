import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";

/** undici as the host has it, as this package has it, and Node's own. */
const here = createRequire(import.meta.url);
const host = createRequire(
  createRequire(fileURLToPath(new URL("../../../../package.json", import.meta.url))).resolve("openclaw"),
);
const CLIENTS = {
  "undici of the host": host.resolve("undici"),
  "undici of this package": here.resolve("undici"),
  "fetch of Node": undefined,
};

/** A process of its own: what ends a gateway must not be caught by the test runner. */
const script = (client: string | undefined) => `
import http from "node:http";
import { startDoor } from ${JSON.stringify(new URL("./door.ts", import.meta.url).href)};
import { startGuard } from ${JSON.stringify(new URL("./guard.ts", import.meta.url).href)};
const undici = ${client === undefined ? "{ fetch }" : `(await import(${JSON.stringify(pathToFileURL(client).href)})).default`};
let got = 0;
const server = http.createServer((q, r) => { got++; r.end("{}"); }).listen(0, "127.0.0.1");
server.on("connection", (socket) => socket.on("data", () => got++));
await new Promise((resolve) => server.once("listening", resolve));
const origin = "http://127.0.0.1:" + server.address().port;
startDoor({ refused() {} });
startGuard({ isLocalOrigin: () => false, isModelOrigin: () => true, refused() {},
  findPrivate: (body) => (body.includes("vault-value") ? "SECRET" : undefined) });
const results = [];
const attempt = async (name, run) => {
  try { await run(); results.push(name + " went through"); }
  catch (error) { results.push(name + " " + [error, error.cause].map((e) => e?.name).join("/")); }
};
const post = { method: "POST", headers: { authorization: "Bearer k" }, body: "vault-value" };
await attempt("door fetch", () => undici.fetch(origin + "/k/key/p/cloud/v1/chat/completions", { ...post, body: "words" }));
await attempt("guard fetch", () => undici.fetch(origin + "/v1/chat/completions", post));
if (undici.request) {
  await attempt("door request", () => undici.request(origin + "/k/key/p/cloud/v1/chat/completions", { ...post, body: "words" }));
  await attempt("guard request", () => undici.request(origin + "/v1/chat/completions", post));
}
await new Promise((resolve) => setTimeout(resolve, 100));
console.log(JSON.stringify({ got, results }));
server.closeAllConnections();
server.close();
process.exit(0);
`;

describe.each(Object.entries(CLIENTS))("%s", (_, client) => {
  it("a refused request fails, sends nothing, and the process lives on", () => {
    const run = spawnSync(process.execPath, ["--input-type=module", "--eval", script(client)], {
      encoding: "utf8",
      timeout: 25_000,
    });
    expect(run.status, run.stderr).toBe(0);
    const { got, results } = JSON.parse(run.stdout) as { got: number; results: string[] };
    expect(got).toBe(0);
    expect(results).toHaveLength(client === undefined ? 2 : 4);
    for (const result of results)
      expect(result).toMatch(result.startsWith("door") ? /StrangerError/ : /PrivateBodyError/);
  }, 30_000);
});
