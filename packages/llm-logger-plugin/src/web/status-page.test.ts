import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answering, type Lab, wireLab } from "../testing/wire-lab.ts";
import { handleStatusPage } from "./status-page.ts";

let lab: Lab;
let server: Server;

beforeEach(async () => {
  lab = await wireLab({ conversationAccess: false, handler: answering((_b, _q, r) => r.end("{}")) });
  server = createServer(
    (request, response) => void handleStatusPage(request, response, () => lab.logger.status()),
  );
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
});
afterEach(async () => {
  server.close();
  await lab.close();
});

function get(
  headers: Record<string, string> = {},
  method = "GET",
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    httpRequest(
      { port, host: "127.0.0.1", method, path: "/plugins/llm-logger/status", headers },
      (response) => {
        let body = "";
        response.on("data", (part) => {
          body += part;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      },
    )
      .on("error", reject)
      .end();
  });
}

describe("status page", () => {
  it("shows numbers, seams and the missing permission; no path, no process, no error text", async () => {
    lab.logger.recorder.fault("a secret place", new Error("a secret detail"));
    const { status, body, headers } = await get();
    expect(status).toBe(200);
    expect(body).toContain("undici-channels");
    expect(body).toContain("hooks.allowConversationAccess true");
    for (const secret of [lab.stateDir, "a secret", String(process.pid)]) expect(body).not.toContain(secret);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["cache-control"]).toBe("no-store");
    const json = JSON.parse((await get({ accept: "application/json" })).body);
    expect(Object.keys(json)).not.toContain("logDir");
    expect(JSON.stringify(json)).not.toContain("a secret");
  });

  it("refuses other hosts, other sites and writes", async () => {
    for (const host of ["evil.example", "127.0.0.1.evil.example", "localhost.evil:1"])
      expect((await get({ host })).status, host).toBe(403);
    for (const host of ["localhost:18789", "127.0.0.1:1", "[::1]:18789"])
      expect((await get({ host })).status, host).toBe(200);
    expect((await get({ "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await get({ "sec-fetch-site": "same-origin" })).status).toBe(200);
    expect((await get({}, "POST")).status).toBe(405);
  });
});
