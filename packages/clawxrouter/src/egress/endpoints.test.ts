import { describe, expect, it } from "vitest";
import { isProxyBaseUrl, parseBaseUrl, proxyBaseUrl } from "./base-url.ts";
import { endpointOf, isLocalUpstream, upstreamTarget } from "./endpoints.ts";
import type { Upstream } from "./types.ts";

const upstream = (baseUrl: string, local = false): Upstream => ({
  baseUrl,
  api: "openai-completions",
  local,
});
const none = new URLSearchParams();

describe("endpointOf", () => {
  it.each([
    ["/v1/chat/completions", "chat/completions", "openai-chat"],
    ["/chat/completions", "chat/completions", "openai-chat"],
    ["/api/paas/v4/chat/completions", "chat/completions", "openai-chat"],
    ["/v1/responses", "responses", "openai-responses"],
    ["/v1/messages", "messages", "anthropic"],
    ["/v1/messages/count_tokens", "messages/count_tokens", "anthropic"],
    ["/v1beta/models/gemini-3-pro:streamGenerateContent", "streamGenerateContent", "google"],
    ["/models/gemini-3-pro:generateContent", "generateContent", "google"],
    ["/v1beta/models/embed-1:batchEmbedContents", "embedContent", "google"],
    ["/api/chat", "api/chat", "ollama"],
    ["/api/generate", "api/generate", "ollama"],
    ["/api/embed", "api/embed", "ollama"],
    ["/v1/embeddings", "embeddings", "openai-embeddings"],
    ["/v1/models", "models", "meta"],
    ["/v1/models/vendor/model-1:free", "models", "meta"],
  ])("%s", (tail, id, protocol) => {
    expect(endpointOf(tail)).toMatchObject({ id, protocol });
  });

  it.each([
    "/v1/files",
    "/v1/chat",
    "/chat/completions/",
    "/a/b/c/d/e/chat/completions",
    "/v1/completions",
    "/",
  ])("%s is not on the list", (tail) => {
    expect(endpointOf(tail)).toBeUndefined();
  });

  it("takes the model from Google's path", () => {
    expect(endpointOf("/v1beta/models/gemini-3-pro:generateContent")?.modelInPath).toBe("gemini-3-pro");
  });
});

describe("upstreamTarget", () => {
  it.each([
    ["https://api.openai.com/v1", "/v1/chat/completions", "https://api.openai.com", "/v1/chat/completions"],
    ["https://api.openai.com/v1/", "/chat/completions", "https://api.openai.com", "/v1/chat/completions"],
    ["https://api.anthropic.com", "/v1/messages", "https://api.anthropic.com", "/v1/messages"],
    [
      "https://open.bigmodel.cn/api/paas/v4",
      "/api/paas/v4/chat/completions",
      "https://open.bigmodel.cn",
      "/api/paas/v4/chat/completions",
    ],
    ["http://127.0.0.1:11434/v1", "/api/chat", "http://127.0.0.1:11434", "/api/chat"],
    ["http://127.0.0.1:11434", "/api/chat", "http://127.0.0.1:11434", "/api/chat"],
  ])("%s + %s", (base, tail, origin, path) => {
    expect(upstreamTarget(upstream(base), tail, none)).toEqual({ origin, path });
  });

  it("keeps the query of the base URL and of the request", () => {
    expect(
      upstreamTarget(
        upstream("https://x.example/openai?api-version=2025"),
        "/openai/chat/completions",
        new URLSearchParams("beta=true"),
      ).path,
    ).toBe("/openai/chat/completions?api-version=2025&beta=true");
  });

  it("goes to the right endpoint for every base URL that setup writes", () => {
    for (const base of [
      "https://a.example/v1",
      "https://a.example",
      "https://a.example/x/y/",
      "http://127.0.0.1:1/v1",
    ]) {
      const tail =
        new URL(`${proxyBaseUrl(8403, "k".repeat(32), "id", base)}/chat/completions`).pathname.split(
          "/p/id",
        )[1] ?? "";
      const { origin, path } = upstreamTarget(upstream(base), tail, none);
      expect(origin + path).toBe(`${base.replace(/\/$/, "")}/chat/completions`);
    }
  });
});

describe("isLocalUpstream", () => {
  it.each(["http://127.0.0.1:11434", "http://localhost:1/v1", "http://[::1]:8080", "http://127.5.5.5"])(
    "%s is",
    (url) => {
      expect(isLocalUpstream(upstream(url, true), [])).toBe(true);
    },
  );
  it.each([
    "https://api.openai.com",
    "http://127.0.0.1.evil.example",
    "http://localhost.evil.example",
    "http://10.0.0.5",
    "http://0.0.0.0:1",
  ])("%s is not", (url) => {
    expect(isLocalUpstream(upstream(url, true), [])).toBe(false);
  });
  it("a listed host is", () => {
    expect(isLocalUpstream(upstream("http://gpu.lan:8000/v1", true), ["GPU.lan"])).toBe(true);
    expect(isLocalUpstream(upstream("http://gpu.lan.evil.example", true), ["gpu.lan"])).toBe(false);
  });
});

describe("base URLs", () => {
  it("ends as the provider's own", () => {
    const url = proxyBaseUrl(8403, "k".repeat(32), "my provider", "https://api.openai.com/v1/");
    expect(url).toBe(`http://127.0.0.1:8403/k/${"k".repeat(32)}/p/my%20provider/v1`);
    expect(isProxyBaseUrl(url)).toBe(true);
    expect(isProxyBaseUrl("https://api.openai.com/v1")).toBe(false);
  });
  it.each(["ftp://x", "https://user:pw@x.example", "https://x.example/#f", "not a url"])(
    "refuses %s",
    (url) => {
      expect(() => parseBaseUrl(url)).toThrow(TypeError);
    },
  );
});
