import { describe, expect, it } from "vitest";
import type { PostureItem } from "../posture/posture.ts";
import { postureView } from "./posture-text.ts";

const view = (id: string, ok: boolean, text: string, fix?: string) => {
  const item: PostureItem = { id, ok, severity: "yellow", text, fix };
  const [shown] = postureView({ state: ok ? "green" : "yellow", items: [item] }).items;
  if (shown === undefined) throw new Error("the item is missing");
  return shown;
};

describe("the posture in Chinese", () => {
  it("says of a provider whether it counts as this machine or as a cloud", () => {
    expect(view("locality:ollama", true, "provider ollama is trusted as local: why").text.zh).toBe(
      "模型服务 ollama 按本机对待",
    );
    expect(view("locality:lite", true, "provider lite counts as a cloud: why").text.zh).toBe(
      "模型服务 lite 按云端对待",
    );
  });

  it("says that the proxy runs only where it was seen to run", () => {
    expect(view("proxy", true, "the proxy listens on 127.0.0.1:8403").text.zh).toBe("隐私代理正在运行");
    expect(view("proxy", true, "the proxy runs with the gateway").text.zh).toBe("隐私代理随网关运行");
  });

  it("names both settings that end a doubt", () => {
    const doubted = view("locality:lite", false, "provider lite counts as a cloud: why", "if it keeps …");
    expect(doubted.text.zh).toContain("看起来会转发到云端");
    expect(doubted.fix?.text.zh).toContain("privacy.localProviders.trust");
    expect(doubted.fix?.text.zh).toContain("privacy.localProviders.treatAsCloud");
  });
});
