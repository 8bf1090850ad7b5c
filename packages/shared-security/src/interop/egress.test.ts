import { describe, expect, it } from "vitest";
import { announceEgress, egressUpstreamAt, isEgressOrigin } from "./egress.ts";

describe("egress register", () => {
  const upstreams = { cloud: { baseUrl: "https://api.example/v1/", api: "openai-completions" } };

  it("knows a proxy and its upstreams while it is announced", () => {
    const takeBack = announceEgress({ origin: "http://127.0.0.1:8403", upstreams: () => upstreams });
    expect(isEgressOrigin("http://127.0.0.1:8403")).toBe(true);
    expect(isEgressOrigin("http://127.0.0.1:8404")).toBe(false);
    expect(egressUpstreamAt("https://api.example", "/v1/chat/completions")).toEqual({
      provider: "cloud",
      api: "openai-completions",
    });
    expect(egressUpstreamAt("https://api.example", "/v10/chat")).toBeUndefined();
    expect(egressUpstreamAt("https://other.example", "/v1/chat")).toBeUndefined();
    takeBack();
    expect(isEgressOrigin("http://127.0.0.1:8403")).toBe(false);
    expect(egressUpstreamAt("https://api.example", "/v1/chat/completions")).toBeUndefined();
  });

  it("survives an upstream that is no URL", () => {
    const takeBack = announceEgress({
      origin: "http://127.0.0.1:1",
      upstreams: () => ({ broken: { baseUrl: "not a url", api: "" } }),
    });
    expect(egressUpstreamAt("https://api.example", "/v1")).toBeUndefined();
    takeBack();
  });
});
