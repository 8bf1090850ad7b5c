import { type Level, Vault } from "@clawx/shared-security";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../config-file/parse.ts";
import { Detector } from "../detection/detector.ts";
import { RuleDetector } from "../detection/rules.ts";
import type { Detection, SemanticDetector } from "../detection/types.ts";
import { CloudBodies } from "../egress/request/cloud-body.ts";
import type { EgressPolicy } from "../egress/types.ts";
import { DetectorInspector } from "./inspector.ts";

const POLICY: EgressPolicy = {
  s3: "placeholder",
  s2: "placeholder",
  media: { image: "withhold", audio: "withhold", file: "withhold" },
  maxBodyBytes: 1 << 20,
  inspectTimeoutMs: 2_000,
};

/** A local model that finds a text private when it holds the whole of a sentence, and keeps what it was asked. */
function model(sentence: string, verdict: Partial<Detection> = { level: "S3" }) {
  const asked: string[] = [];
  const semantic: SemanticDetector = {
    version: () => "1",
    close: () => undefined,
    detect: async (text) => {
      asked.push(text);
      const none: Detection = { level: "S1", findings: [], reasons: [], degraded: undefined };
      return text.includes(sentence) ? { ...none, ...verdict } : none;
    },
  };
  return { semantic, asked };
}

async function send(
  texts: readonly string[],
  semantic: SemanticDetector | undefined,
  privacy: Record<string, unknown> = {},
) {
  const settings = {
    privacy: { checkpoints: { outbound: ["ruleDetector", "localModelDetector"] }, ...privacy },
  };
  const config = parseConfig(JSON.stringify(settings), "clawxrouter.json").privacy;
  const detector = new Detector(config, new RuleDetector(config.rules), semantic, "r");
  const bodies = new CloudBodies(new DetectorInspector(() => detector), new Vault());
  const { bytes, report } = await bodies.make({
    text: JSON.stringify({ model: "m", messages: texts.map((content) => ({ role: "user", content })) }),
    protocol: "openai-chat",
    context: {
      requestId: "r",
      providerId: "p",
      model: undefined,
      session: "s",
      signal: new AbortController().signal,
    },
    policy: POLICY,
    familyOf: () => "m",
    adjust: () => undefined,
    models: new Set(),
  });
  return { wire: bytes.toString("utf8"), report };
}

describe("where two texts meet", () => {
  const parts = ["Notes of the board: we will buy the mill", "in spring, nobody may know of it"];

  it("the local model is asked, when the checkpoint has it, and what it finds private goes in both texts", async () => {
    const { semantic, asked } = model("the millin spring");
    const { wire, report } = await send(parts, semantic);
    expect(asked).toContain(parts.join(""));
    expect(wire).not.toContain("buy the mill");
    expect(wire).not.toContain("in spring");
    expect(report.level).toBe("S3");
  });

  it("it is not asked where the checkpoint has rules only", async () => {
    const { semantic, asked } = model("the millin spring");
    const { wire } = await send(parts, semantic, { checkpoints: { outbound: ["ruleDetector"] } });
    expect(asked).toEqual([]);
    expect(wire).toContain("buy the mill");
  });

  it("no answer of the local model there counts as the settings say", async () => {
    for (const level of ["S2", "S3"] satisfies Level[]) {
      const { semantic } = model("the millin spring", { degraded: "local model: timeout" });
      const { wire, report } = await send(parts, semantic, { failClosed: level });
      expect(report.level).toBe(level);
      expect(report.degraded).toBe("local model: timeout");
      expect(wire.includes("buy the mill")).toBe(level === "S2");
    }
  });

  it("a private keyword of the user that is cut in two is found, too", async () => {
    const rules = { keywords: { S3: ["Falkenhorst"], S2: [] } };
    const { wire } = await send(["the plan is called Falken", "horst and starts in May"], undefined, {
      rules,
    });
    expect(wire).not.toContain("Falken");
    expect(wire).not.toContain("horst and");
  });
});
