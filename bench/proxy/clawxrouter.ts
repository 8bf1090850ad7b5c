/** The egress proxy as its own process: all built-in rules on, redaction and restoring on, a vault in memory. */
import { createEgressProxy } from "../../packages/clawxrouter/src/egress/index.ts";
import { ruleInspector } from "../../packages/clawxrouter/src/egress/testing/setup.ts";
import { Vault } from "../../packages/shared-security/src/index.ts";
import { KEY, PORTS } from "./ports.ts";

await createEgressProxy({
  port: PORTS.clawxrouter,
  installKey: KEY,
  upstreams: () => ({
    bench: { baseUrl: `http://127.0.0.1:${PORTS.upstream}/v1`, api: "openai-completions", local: false },
  }),
  inspect: ruleInspector(),
  vault: new Vault(),
  sessionOf: () => "bench",
  policy: () => ({
    s3: "placeholder",
    s2: "placeholder",
    media: { image: "withhold", audio: "withhold", file: "withhold" },
    maxBodyBytes: 32 * 1024 * 1024,
    inspectTimeoutMs: 5000,
  }),
});
process.send?.("ready");

// Ends with the benchmark, however that ends.
process.on("disconnect", () => process.exit());
