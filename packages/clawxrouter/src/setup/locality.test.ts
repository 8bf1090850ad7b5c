import { describe, expect, it } from "vitest";
import { isCloudModel } from "../egress/cloud-models.ts";
import { localityOf } from "./locality.ts";

const LOOPBACK = "http://127.0.0.1:4000/v1";
const none = { localHosts: ["gpu.lan"] };

describe("localityOf", () => {
  it.each([
    ["ollama", "http://127.0.0.1:11434", ["qwen3:8b", "gpt-oss:20b"], true, "is on this machine"],
    [
      "lmstudio",
      "http://localhost:1234/v1",
      ["openai/gpt-oss-20b", "google/gemma-3-12b"],
      true,
      "is on this machine",
    ],
    ["vllm", "http://[::1]:8000/v1", ["openbmb/MiniCPM4.1-8B"], true, "is on this machine"],
    ["box", "http://gpu.lan:8000/v1", ["llama-3.3"], true, "in privacy.localHosts"],
    ["far", "https://api.example.com/v1", ["llama-3.3"], false, "neither on this machine"],
    ["litellm", LOOPBACK, ["llama-3.3"], false, "gateway"],
    ["my-gateway", LOOPBACK, [], false, "gateway"],
    ["home", LOOPBACK, ["qwen3", "claude-sonnet-4-6"], false, "claude-sonnet-4-6 is a model of a cloud"],
    ["home", LOOPBACK, ["openai/gpt-5.4"], false, "a model of a cloud"],
    ["home", LOOPBACK, ["azure/eu/gpt-4o"], false, "a model of a cloud"],
    ["home", LOOPBACK, ["o3-mini"], false, "a model of a cloud"],
    ["home", undefined, [], false, "no address"],
  ])("%s at %s with %j: local %s", (id, baseUrl, models, local, why) => {
    const locality = localityOf(id, baseUrl, models, none);
    expect(locality.local).toBe(local);
    expect(locality.why).toContain(why);
  });

  it("the settings have the last word, but no setting makes a far host local", () => {
    const settings = { ...none, localProviders: { trust: ["litellm", "far"], treatAsCloud: ["ollama"] } };
    expect(localityOf("litellm", LOOPBACK, [], settings)).toMatchObject({ local: true, doubted: false });
    expect(localityOf("ollama", "http://127.0.0.1:11434", [], settings)).toMatchObject({ local: false });
    expect(localityOf("far", "https://api.example.com/v1", [], settings).local).toBe(false);
    const both = { ...none, localProviders: { trust: ["x"], treatAsCloud: ["x"] } };
    expect(localityOf("x", LOOPBACK, [], both).local).toBe(false);
  });

  it("knows the models that a local Ollama runs elsewhere", () => {
    for (const model of ["gpt-oss:120b-cloud", "minimax-m2:cloud"]) expect(isCloudModel(model)).toBe(true);
    for (const model of ["qwen3:8b", "cloudy:7b", "nimbus-cloud-7b", undefined])
      expect(isCloudModel(model)).toBe(false);
  });
});
