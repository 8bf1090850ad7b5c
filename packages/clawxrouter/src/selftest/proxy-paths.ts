/** Made-up values through every protocol of the running proxy: none may arrive, S2 values must come back. */
import { randomBytes } from "node:crypto";
import { request } from "undici";
import { proxyBaseUrl } from "../egress/base-url.ts";
import type { EgressApi, Upstream } from "../egress/types.ts";
import { SELFTEST_PREFIX } from "./names.ts";
import { readings } from "./readings.ts";
import { type Recorder, startRecorder } from "./recorder.ts";
import { LeakSearch } from "./search.ts";
import { type Secret, secrets } from "./secrets.ts";

export interface SelfTestRow {
  path: string;
  /** Values that were sent on this path. */
  values: number;
  /** Requests that reached the recording upstream. */
  requests: number;
  /** What of the values reached it: their names. */
  leaked: readonly string[];
  /** The user got an answer, with the S2 values in it where the path echoes them. */
  answered: boolean;
  /** Why not. */
  detail: string;
  /** Why the path shows nothing although nothing is wrong; undefined when it was tried. */
  notTried?: NotTried;
}

/**
 * The workspace is empty, so no file is put there; no utility model is set, or it is a local one; the model that
 * conversations go to is a local one.
 */
export type NotTried = "empty-workspace" | "no-utility-model" | "local-utility-model" | "local-model";

/** Whether a row speaks against the gateway: something got through, or what should have answered did not. */
export function failed({ leaked, answered, notTried }: SelfTestRow): boolean {
  return leaked.length > 0 || (!answered && notTried === undefined);
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
  /** Ends the test early; it then rejects, with everything put back. */
  signal?: AbortSignal;
}

export async function selfTestProxy(options: ProxySelfTestOptions): Promise<SelfTestRow[]> {
  const recorder = await startRecorder();
  const all = secrets(randomBytes(8).toString("hex"));
  const search = new LeakSearch(all);
  try {
    return await options.withUpstreams(selfTestUpstreams(recorder.origin), async () => {
      const rows: SelfTestRow[] = [];
      for (const shape of SHAPES) {
        if (options.paths !== undefined && !options.paths.includes(shape.path)) continue;
        options.signal?.throwIfAborted();
        recorder.clear();
        const fault = await tryShape(shape, all, recorder, options);
        const { requests } = recorder;
        rows.push({
          path: `proxy: ${shape.path}`,
          values: all.length,
          requests: requests.length,
          leaked: [
            ...new Set([...requests.flatMap((wire) => search.find(wire)), ...search.findAcross(requests)]),
          ],
          answered: fault === undefined,
          detail: fault ?? "",
        });
      }
      return rows;
    });
  } finally {
    await recorder.close();
  }
}

/** Sends one request; what was wrong with the answer, if anything. */
async function tryShape(
  shape: Shape,
  all: readonly Secret[],
  recorder: Recorder,
  options: ProxySelfTestOptions,
): Promise<string | undefined> {
  const base = proxyBaseUrl(
    options.port,
    options.installKey,
    SELFTEST_PREFIX + shape.api,
    recorder.origin + shape.base,
  );
  try {
    const response = await request(base + shape.endpoint, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(shape.body(all.map(({ text }) => text).join("\n\n"))),
      signal: AbortSignal.any([
        AbortSignal.timeout(30_000),
        ...(options.signal === undefined ? [] : [options.signal]),
      ]),
    });
    const answer = readings(Buffer.from(await response.body.text())).join("\n");
    if (response.statusCode !== 200) return `HTTP ${response.statusCode}`;
    if (recorder.requests.length === 0) return "nothing was forwarded";
    const missing = all.filter(({ level, text }) => level === "S2" && !answer.includes(text));
    if (!shape.echoes || missing.length === 0) return undefined;
    return `did not come back: ${missing.map(({ name }) => name).join(", ")}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
