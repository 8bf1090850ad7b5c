import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Gateway, modelServer, prepareGateway } from "./harness/index.ts";

const NOTE = `the customer's phone is 139${"2468".repeat(2)}`;

/** What the command line does by itself, while no gateway runs. */
describe("clawxrouter: the command line without a gateway", () => {
  let gateway: Gateway;
  let failed = false;
  /** Somebody else who listens at the proxy's port. */
  let stranger: Server;
  const got: string[] = [];
  const config = () => JSON.parse(readFileSync(path.join(gateway.stateDir, "openclaw.json"), "utf8"));

  beforeAll(async () => {
    stranger = createServer((_request, response) => response.end('{"data":[]}'));
    stranger.on("connection", (socket: Socket) => socket.on("data", (data) => got.push(data.toString())));
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    const proxyPort = (stranger.address() as AddressInfo).port;
    const embed = modelServer("embed");
    await embed.start();
    gateway = await prepareGateway({
      plugins: { clawxrouter: {} },
      models: { cloud: modelServer("cloud"), local: modelServer("local"), embed },
      env: { EMBED_URL: `${embed.origin}/v1` },
      config: {
        memory: {
          search: {
            enabled: true,
            provider: "openai-compatible",
            model: "text-embed",
            remote: { baseUrl: ["$", "{EMBED_URL}"].join(""), apiKey: "embed-test-key" },
          },
        },
      },
      files: {
        ".openclaw/clawxrouter.json": JSON.stringify({ privacy: { proxyPort } }),
        ".openclaw/workspace/MEMORY.md": `# Memory\n- ${NOTE}\n`,
      },
    });
    await gateway.cli(["clawxrouter", "setup", "--yes"], { check: true });
  }, 180_000);
  afterEach(({ task }) => {
    if (task.result?.state === "fail") failed = true;
  });
  afterAll(async () => {
    await gateway?.close(failed);
    stranger.closeAllConnections();
    await new Promise((resolve) => stranger.close(resolve));
  });

  it("memory index writes nothing to a stranger at the proxy's port, and says why", async () => {
    expect(config().memory.search.remote.baseUrl).toContain("/p/clawxrouter-memory");
    const result = await gateway.cli(["memory", "index", "--force"]);
    const told = got.join("\n");
    expect(told).toContain("/clawxrouter/proof/");
    const key = readFileSync(path.join(gateway.stateDir, "clawxrouter", "install.key"), "utf8").trim();
    for (const secret of [NOTE, key, "embed-test-key"]) expect(told).not.toContain(secret);
    expect(result.stdout + result.stderr).toContain("not ClawXRouter's proxy");
  }, 120_000);

  it("unset value by value gives back the variable, not what it holds", async () => {
    await gateway.cli(["config", "set", "logging.level", "warn"], { check: true });
    const result = await gateway.cli(["clawxrouter", "unset"], { check: true });
    expect(result.stdout).toContain("/memory/search/remote/baseUrl");
    expect(config().memory.search.remote.baseUrl).toBe(["$", "{EMBED_URL}"].join(""));
    expect(config().logging.level).toBe("warn");
    expect(JSON.stringify(config())).not.toContain("/k/");
  }, 120_000);
});
