import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type GatewayCall, type GatewaySelfTestOptions, selfTestGateway } from "./gateway-paths.ts";
import { isSelfTestSession } from "./names.ts";
import { failed } from "./proxy-paths.ts";

/** A gateway that sends nothing private: each turn asks the cloud one thing, those for a title nothing. */
class Gateway {
  readonly calls: { method: string; key: string | undefined }[] = [];
  origin = "";
  detours = 0;
  /** Names of files in the workspace, as the turns saw them. */
  readonly seen = new Set<string>();
  onTurn: (files: string[]) => Promise<void> | void = () => {};

  readonly call: GatewayCall = async (method, params) => {
    const key = [params.sessionKey, params.key].find((one) => typeof one === "string");
    this.calls.push({ method, key });
    if (method === "agent" || method === "chat.send") await this.turn(String(key));
    if (method === "agent") return { status: "ok", result: { payloads: [{ text: "said" }] } };
    if (method === "agent.wait") return { status: "ok" };
    if (method === "chat.history") return { messages: [{ role: "assistant", content: "said" }] };
    return {};
  };

  private async turn(key: string): Promise<void> {
    const files = readdirSync(workspace);
    for (const name of files) this.seen.add(name);
    await this.onTurn(files);
    if (key.includes("title")) return;
    const response = await fetch(`${this.origin}/v1/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ messages: [{ role: "user", content: "hello" }] }),
    });
    await response.text();
  }
}

let workspace: string;
let gateway: Gateway;
beforeEach(() => {
  workspace = mkdtempSync(path.join(os.tmpdir(), "clawx-selftest-"));
  gateway = new Gateway();
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function selfTest(more: Partial<GatewaySelfTestOptions>) {
  return selfTestGateway({
    call: gateway.call,
    workspace,
    upstreams: { cloud: { baseUrl: "https://cloud.invalid/v1", api: "openai-completions", local: false } },
    detour: ({ cloud }) => {
      gateway.origin = new URL(cloud?.baseUrl ?? "").origin;
      gateway.detours += 1;
      return () => {
        gateway.detours -= 1;
      };
    },
    models: { main: "cloud", utility: "cloud" },
    progress: () => {},
    ...more,
  });
}

describe("self-test of the gateway", () => {
  it("puts no file into an empty workspace, and is not the worse for it", { timeout: 30_000 }, async () => {
    const rows = await selfTest({ models: { main: "cloud", utility: undefined } });
    expect(gateway.seen.size).toBe(0);
    expect(rows.filter(({ notTried }) => notTried === "empty-workspace").map((row) => row.path)).toEqual([
      "gateway: tool result: read",
      "gateway: tool arguments",
    ]);
    expect(rows.find(({ notTried }) => notTried === "no-utility-model")?.path).toContain("title and recap");
    expect(rows.filter(failed)).toEqual([]);
    expect(rows.filter(({ answered }) => answered).length).toBe(4);
  });

  it("counts a silent utility model in the cloud, and uses files where there are some", {
    timeout: 30_000,
  }, async () => {
    writeFileSync(path.join(workspace, "AGENTS.md"), "");
    const rows = await selfTest({});
    expect(rows.filter(failed).map((row) => row.path)).toEqual([
      "gateway: title and recap by the utility model",
    ]);
    expect(gateway.seen.size).toBe(3);
    expect(readdirSync(workspace)).toEqual(["AGENTS.md"]);
    expect(gateway.detours).toBe(0);
    for (const { key } of gateway.calls) if (key !== undefined) expect(isSelfTestSession(key)).toBe(true);
  });

  it("puts everything back when it is broken off in the middle", { timeout: 30_000 }, async () => {
    writeFileSync(path.join(workspace, "AGENTS.md"), "");
    const controller = new AbortController();
    const never = Promise.withResolvers<void>();
    gateway.onTurn = (files) => {
      if (files.length < 2) return;
      controller.abort(new Error("broken off"));
      return never.promise;
    };
    await expect(selfTest({ signal: controller.signal })).rejects.toThrow("broken off");
    expect(gateway.seen.size).toBe(2);
    expect(readdirSync(workspace)).toEqual(["AGENTS.md"]);
    expect(gateway.detours).toBe(0);
    const keys = (method: string) =>
      new Set(gateway.calls.filter((one) => one.method === method).map(({ key }) => key));
    expect(keys("sessions.delete")).toEqual(keys("sessions.abort"));
    expect(keys("sessions.delete")).toEqual(new Set([...keys("agent"), ...keys("chat.send")]));
    never.resolve();
  });
});
