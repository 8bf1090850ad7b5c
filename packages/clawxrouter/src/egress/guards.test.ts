import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROOF_PATH, proofOf, RequestGuard } from "./guards.ts";
import { type Bench, KEY, startBench } from "./testing/setup.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

/** Sends a request byte for byte, as no HTTP client would. */
function raw(
  requestLine: string,
  headers: Record<string, string> = {},
  body = "{}",
): Promise<{ status: number; head: string; body: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(bench.proxy.port, "127.0.0.1");
    const lines = Object.entries({
      host: `127.0.0.1:${bench.proxy.port}`,
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      connection: "close",
      ...headers,
    })
      .filter(([, value]) => value !== "")
      .map(([name, value]) => `${name}: ${value}\r\n`);
    let answer = "";
    socket.on("data", (data) => {
      answer += data.toString();
    });
    socket.on("close", () => {
      const [head = "", ...rest] = answer.split("\r\n\r\n");
      resolve({ status: Number(head.split(" ")[1]), head, body: rest.join("\r\n\r\n") });
    });
    socket.on("error", reject);
    socket.write(`${requestLine} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
  });
}

const good = `/k/${KEY}/p/cloud/v1/chat/completions`;

describe("host-trick: the target of a request is the configured one or nothing", () => {
  it.each([
    `/k/${KEY}/p/cloud/v1@evil.example/chat/completions`,
    `/k/${KEY}/p/cloud@evil.example/v1/chat/completions`,
    `//evil.example/v1/chat/completions`,
    `/k/${KEY}/p/cloud//evil.example/chat/completions`,
    `/k/${KEY}/p/cloud/../../v1/chat/completions`,
    `/k/${KEY}/p/cloud/v1/./chat/completions`,
    `/k/${KEY}/p/cloud/v1/%2e%2e/chat/completions`,
    `/k/${KEY}/p/cloud/v1%2f..%2fchat/completions`,
    `/k/${KEY}/p/cloud/v1/%252e%252e/chat/completions`,
    `/k/${KEY}/p/cloud/v1\\chat/completions`,
    `/k/${KEY}/p/cloud/v1%5cchat/completions`,
    `/k/${KEY}/p/cloud/v1/chat/completions%00`,
    `/k/${KEY}/p/cloud/v1/chat/completions#x`,
    `/k/${KEY}/p/cloud/v1/chat/completions?to=http://evil.example`,
    `/k/${KEY}/p/cloud/v1/chat/completions?key=secret%20text%20with%20words`,
    `http://evil.example/k/${KEY}/p/cloud/v1/chat/completions`,
    `*`,
  ])("%s -> 400, nothing sent", async (target) => {
    const before = bench.cloud.requests.length;
    const answer = await raw(`POST ${target}`);
    expect(answer.status).toBe(400);
    expect(bench.cloud.requests.length).toBe(before);
  });

  it("CONNECT and upgrades are not served", async () => {
    expect((await raw("CONNECT evil.example:443")).status).toBe(400);
    const upgrade = await raw(`GET ${good}`, { connection: "upgrade", upgrade: "websocket" }, "");
    expect(upgrade.status).toBe(400);
  });
});

describe("website: neither a web page nor another user is served", () => {
  it.each([
    ["rebound DNS name", { host: "evil.example" }, 421],
    ["rebound DNS name with port", { host: "evil.example:8403" }, 421],
    ["another port", { host: "127.0.0.1:1" }, 421],
    ["a look-alike", { host: "127.0.0.1.evil.example:8403" }, 421],
    ["Origin", { origin: "https://evil.example" }, 403],
    ["Origin null", { origin: "null" }, 403],
    ["Sec-Fetch-Site", { "sec-fetch-site": "same-origin" }, 403],
  ])("%s", async (_name, headers, status) => {
    const before = bench.cloud.requests.length;
    const answer = await raw(`POST ${good}`, headers);
    expect(answer.status).toBe(status);
    expect(answer.head.toLowerCase()).not.toContain("access-control");
    expect(bench.cloud.requests.length).toBe(before);
  });

  it("a preflight is refused without CORS headers", async () => {
    const answer = await raw(
      `OPTIONS ${good}`,
      { origin: "https://evil.example", "access-control-request-method": "POST" },
      "",
    );
    expect(answer.status).toBe(403);
    expect(answer.head.toLowerCase()).not.toContain("access-control");
  });

  it.each([
    `/k/wrong/p/cloud/v1/chat/completions`,
    `/p/cloud/v1/chat/completions`,
    `/`,
    `/v1/chat/completions`,
  ])("wrong or missing key: %s -> 401 and nothing else", async (target) => {
    const answer = await raw(`POST ${target}`);
    expect(answer.status).toBe(401);
    // Chunked coding may frame the empty body.
    expect(answer.body.replace(/^0\r\n\r\n$/, "")).toBe("");
  });

  it("the key may come in a header instead of the path, and goes no further", async () => {
    const answer = await raw("POST /p/cloud/v1/chat/completions", { "x-clawxrouter-key": KEY });
    expect(answer.status).toBe(200);
    const sent = bench.cloud.requests.at(-1);
    expect(JSON.stringify(sent?.headers)).not.toContain(KEY);
    expect(sent?.url).toBe("/v1/chat/completions");
  });
});

describe("proof of the key", () => {
  const challenge = "ab".repeat(32);

  it("answers a challenge with what only the key can make, and gives nothing of it away", async () => {
    const answer = await raw(`GET ${PROOF_PATH}${challenge}`, {}, "");
    expect(answer.body).toContain(proofOf(KEY, challenge, bench.proxy.port));
    expect(proofOf(KEY, challenge, bench.proxy.port)).not.toBe(
      proofOf(`${KEY}x`, challenge, bench.proxy.port),
    );
    expect(proofOf(KEY, challenge, bench.proxy.port)).not.toBe(
      proofOf(KEY, "cd".repeat(32), bench.proxy.port),
    );
    expect(answer.head + answer.body).not.toContain(KEY);
    // Nobody can have it from the proxy to show it at his own port.
    expect(answer.body).not.toContain(proofOf(KEY, challenge, bench.proxy.port + 1));
  });

  it.each([
    ["POST", PROOF_PATH + challenge, {}],
    ["GET", `${PROOF_PATH}x`, {}],
    ["GET", PROOF_PATH + challenge, { origin: "https://evil.example" }],
  ])("%s %s %j is no challenge", async (method, target, headers) => {
    const answer = await raw(`${method} ${target}`, headers, "");
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body).not.toContain(proofOf(KEY, challenge, bench.proxy.port));
  });
});

describe("allow-list", () => {
  it.each([
    ["unknown provider", `/k/${KEY}/p/other/v1/chat/completions`, 404],
    ["a name of Object.prototype", `/k/${KEY}/p/__proto__/v1/chat/completions`, 404],
    ["a name of Object.prototype", `/k/${KEY}/p/constructor/v1/chat/completions`, 404],
    ["files", `/k/${KEY}/p/cloud/v1/files`, 404],
    ["audio", `/k/${KEY}/p/cloud/v1/audio/transcriptions`, 404],
    ["images", `/k/${KEY}/p/cloud/v1/images/generations`, 404],
    ["batches", `/k/${KEY}/p/cloud/v1/batches`, 404],
    ["a prefix of an endpoint", `/k/${KEY}/p/cloud/v1/chat/completions/x`, 404],
  ])("%s: %s", async (_name, target, status) => {
    expect((await raw(`POST ${target}`)).status).toBe(status);
  });

  it("other methods are refused", async () => {
    expect((await raw(`PUT ${good}`)).status).toBe(405);
    expect((await raw(`GET ${good}`, {}, "")).status).toBe(405);
  });

  it.each(["multipart/form-data; boundary=x", "text/plain", "application/octet-stream", ""])(
    "body type %s is refused",
    async (type) => {
      const before = bench.cloud.requests.length;
      expect((await raw(`POST ${good}`, { "content-type": type })).status).toBe(415);
      expect(bench.cloud.requests.length).toBe(before);
    },
  );

  it("a body that is no JSON object is refused", async () => {
    for (const body of ["{", "[]", '"text"', "a=b"])
      expect((await raw(`POST ${good}`, {}, body)).status).toBe(400);
  });
});

it("asks for a key that cannot be guessed", () => {
  expect(() => new RequestGuard("short", () => 1)).toThrow(/32 to 256/);
  expect(() => new RequestGuard("with spaces and more than 32 characters", () => 1)).toThrow(TypeError);
});
