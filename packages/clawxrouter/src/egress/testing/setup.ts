import { detect, levelOf, Vault } from "@clawx/shared-security";
import { createEgressProxy } from "../proxy.ts";
import type {
  EgressApi,
  EgressEvent,
  EgressPolicy,
  EgressProxy,
  EgressProxyOptions,
  TextInspector,
  Upstream,
} from "../types.ts";
import { type RecordingUpstream, recordingUpstream } from "./recording-upstream.ts";

/** Install key of tests. */
export const KEY = "test-install-key-0123456789-abcdef";

/** Values that look real to the detectors, put together here so that no scanner takes this file for a leak. */
export const PHONE = ["139", "1234", "5678"].join("");
export const PHONE_2 = ["138", "8765", "4321"].join("");
export const CARD = ["4111", "1111", "1111", "1111"].join("");
export const AWS_KEY = `AK${"IA"}${"QX7TN5LM2RBV4KPD"}`;

export const POLICY: EgressPolicy = {
  s3: "placeholder",
  s2: "placeholder",
  media: { image: "withhold", audio: "withhold", file: "withhold" },
  maxBodyBytes: 32 * 1024 * 1024,
  inspectTimeoutMs: 5000,
};

/** The rule detectors alone, as an inspector. */
export function ruleInspector(): TextInspector {
  return {
    version: () => "rules",
    inspect: async (items) =>
      items.map(({ text }) => {
        const findings = detect(text);
        return { level: levelOf(findings), findings, reason: findings[0]?.rule };
      }),
  };
}

export interface Bench {
  proxy: EgressProxy;
  cloud: RecordingUpstream;
  vault: Vault;
  events: EgressEvent[];
  /** Base URL of a provider as the host has it. */
  base(provider?: string): string;
  post(
    path: string,
    body: unknown,
    init?: { headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<Response>;
  close(): Promise<void>;
}

/** A proxy in front of one recording upstream, with rules only; provider ids are `cloud` and what `more` adds. */
export async function startBench(
  overrides: Partial<EgressProxyOptions> & {
    api?: EgressApi;
    more?: Record<string, Upstream>;
    upstreamPath?: string;
  } = {},
): Promise<Bench> {
  const cloud = await recordingUpstream();
  const vault = overrides.vault ?? new Vault();
  const events: EgressEvent[] = [];
  const { api = "openai-completions", more = {}, upstreamPath = "/v1", ...options } = overrides;
  const proxy = await createEgressProxy({
    port: 0,
    installKey: KEY,
    upstreams: () => ({ cloud: { baseUrl: cloud.url + upstreamPath, api, local: false }, ...more }),
    inspect: ruleInspector(),
    policy: () => POLICY,
    sessionOf: () => "agent:main:main",
    onEvent: (event) => events.push(event),
    ...options,
    vault,
  });
  const base = (provider = "cloud"): string => `http://127.0.0.1:${proxy.port}/k/${KEY}/p/${provider}`;
  return {
    proxy,
    cloud,
    vault,
    events,
    base,
    post: (path, body, init = {}) =>
      fetch(base() + path, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: "Bearer upstream-key",
          ...init.headers,
        },
        body: typeof body === "string" ? body : JSON.stringify(body),
        ...(init.signal ? { signal: init.signal } : {}),
      }),
    async close() {
      await proxy.close(100);
      await cloud.close();
    },
  };
}
