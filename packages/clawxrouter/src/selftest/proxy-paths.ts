/** Canaries through every protocol of the running proxy: nothing of them may arrive, S2 values must come back. */
import { request } from "undici";
import { proxyBaseUrl } from "../egress/base-url.ts";
import type { EgressApi, Upstream } from "../egress/types.ts";
import { type Canary, canaries, leaked } from "./canaries.ts";
import { type Recorder, startRecorder } from "./recorder.ts";

export interface SelfTestRow {
  path: string;
  /** What reached the recording upstream: names of canaries. */
  leaked: readonly string[];
  /** The request got an answer that puts the S2 values back, where the path has one. */
  answered: boolean;
  detail: string;
}

interface Shape {
  path: string;
  api: EgressApi;
  /** Of the provider's own base URL. */
  base: string;
  endpoint: string;
  body: (text: string) => unknown;
  /** Whether the answer carries text. */
  echoes: boolean;
}

/** Prefix of the upstream ids that exist only while a self-test runs. */
export const SELFTEST_PREFIX = "clawxrouter-selftest-";

export const SHAPES: readonly Shape[] = [
  {
    path: "chat/completions",
    api: "openai-completions",
    base: "/v1",
    endpoint: "/chat/completions",
    echoes: true,
    body: (text) => ({ model: "m", messages: [{ role: "user", content: text }] }),
  },
  {
    path: "chat/completions, history and tool result",
    api: "openai-completions",
    base: "/v1",
    endpoint: "/chat/completions",
    echoes: true,
    body: (text) => ({
      model: "m",
      messages: [
        { role: "user", content: "run it" },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "t", type: "function", function: { name: "x", arguments: JSON.stringify({ note: text }) } },
          ],
        },
        { role: "tool", tool_call_id: "t", content: [{ type: "text", text }] },
        { role: "user", content: text },
      ],
    }),
  },
  {
    path: "responses",
    api: "openai-responses",
    base: "/v1",
    endpoint: "/responses",
    echoes: true,
    body: (text) => ({
      model: "m",
      instructions: text,
      input: [{ role: "user", content: [{ type: "input_text", text }] }],
    }),
  },
  {
    path: "messages",
    api: "anthropic-messages",
    base: "",
    endpoint: "/v1/messages",
    echoes: true,
    body: (text) => ({
      model: "m",
      max_tokens: 9,
      system: text,
      messages: [{ role: "user", content: text }],
    }),
  },
  {
    path: "generateContent",
    api: "google-generative-ai",
    base: "/v1beta",
    endpoint: "/models/m:generateContent",
    echoes: true,
    body: (text) => ({ contents: [{ role: "user", parts: [{ text }] }] }),
  },
  {
    path: "ollama chat",
    api: "ollama",
    base: "",
    endpoint: "/api/chat",
    echoes: true,
    body: (text) => ({ model: "m", stream: false, messages: [{ role: "user", content: text }] }),
  },
  {
    path: "embeddings",
    api: "openai-completions",
    base: "/v1",
    endpoint: "/embeddings",
    echoes: false,
    body: (text) => ({ model: "m", input: [text] }),
  },
];

/** The upstreams of a self-test against `origin`: cloud ones, although they are on loopback. */
export function selfTestUpstreams(origin: string): Record<string, Upstream> {
  return Object.fromEntries(
    SHAPES.map(({ api, base }) => [SELFTEST_PREFIX + api, { baseUrl: origin + base, api, local: false }]),
  );
}

export interface ProxySelfTestOptions {
  port: number;
  installKey: string;
  /** Makes the upstreams known to the running proxy, and forgets them again. */
  withUpstreams: <T>(upstreams: Record<string, Upstream>, run: () => Promise<T>) => Promise<T>;
  /** Only these shapes; default all. */
  paths?: readonly string[];
}

export async function selfTestProxy(options: ProxySelfTestOptions): Promise<SelfTestRow[]> {
  const recorder = await startRecorder();
  const all = canaries();
  try {
    return await options.withUpstreams(selfTestUpstreams(recorder.origin), async () => {
      const rows: SelfTestRow[] = [];
      for (const shape of SHAPES) {
        if (options.paths === undefined || options.paths.includes(shape.path))
          rows.push(await tryShape(shape, all, recorder, options));
      }
      return rows;
    });
  } finally {
    await recorder.close();
  }
}

async function tryShape(
  shape: Shape,
  all: readonly Canary[],
  recorder: Recorder,
  options: ProxySelfTestOptions,
): Promise<SelfTestRow> {
  const name = `proxy: ${shape.path}`;
  recorder.bodies.length = 0;
  const base = proxyBaseUrl(
    options.port,
    options.installKey,
    SELFTEST_PREFIX + shape.api,
    recorder.origin + shape.base,
  );
  const text = all.map((canary) => canary.message).join("\n\n");
  try {
    const response = await request(base + shape.endpoint, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(shape.body(text)),
      signal: AbortSignal.timeout(30_000),
    });
    const answer = await response.body.text();
    if (response.statusCode !== 200)
      return {
        path: name,
        leaked: leaked(recorder.bodies, all),
        answered: false,
        detail: `HTTP ${response.statusCode}`,
      };
    if (recorder.bodies.length === 0)
      return { path: name, leaked: [], answered: false, detail: "nothing was forwarded" };
    const back = all.filter((canary) => canary.level === "S2" && answer.includes(canary.value));
    const wanted = all.filter((canary) => canary.level === "S2");
    const answered = !shape.echoes || back.length === wanted.length;
    return {
      path: name,
      leaked: leaked(recorder.bodies, all),
      answered,
      detail: answered ? "" : "values did not come back",
    };
  } catch (error) {
    return {
      path: name,
      leaked: leaked(recorder.bodies, all),
      answered: false,
      detail: error instanceof Error ? error.message : String(error),
    };
  }
}
