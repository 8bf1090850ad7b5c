import { Vault } from "@clawx/shared-security";
import { beforeEach, describe, expect, it } from "vitest";
import { defaultConfig } from "../config-file/parse.ts";
import { Detector } from "../detection/detector.ts";
import { RuleDetector } from "../detection/rules.ts";
import type { EgressEvent, ForwardEvent } from "../egress/types.ts";
import type { DecisionRow, Ledger } from "../ledger/ledger.ts";
import { mergeDecisions } from "../routing/merge.ts";
import type { Turn } from "../routing/turns.ts";
import { SELFTEST_PREFIX, SELFTEST_SCOPE } from "../selftest/names.ts";
import { Conversation } from "../vault-store/conversation.ts";
import { Records } from "./records.ts";

const PHONE = `138${"0013".repeat(2)}`;
const SESSION = "agent:main:s";
let rows: DecisionRow[];
let events: EgressEvent[];
let keepText: boolean;
let turn: Partial<Turn> | undefined;
let records: Records;

beforeEach(() => {
  rows = [];
  events = [];
  keepText = true;
  turn = undefined;
  const vault = new Vault();
  const { privacy } = defaultConfig();
  const detector = new Detector(privacy, new RuleDetector(privacy.rules), undefined, "1");
  const ledger = {
    decision: (row: DecisionRow) => rows.push(row),
    egress: (event: EgressEvent) => events.push(event),
  };
  records = new Records({
    ledger: () => ledger as unknown as Ledger,
    keepText: () => keepText,
    conversation: (session) => new Conversation(vault, session),
    detector: () => detector,
    runOf: () => turn as Turn | undefined,
    tierOf: () => {},
    info: () => {},
  });
});

function decide(message: string, level: "S1" | "S2" | "S3", reason: string, sessionKey = SESSION) {
  const start = message.indexOf(PHONE);
  const findings =
    start < 0
      ? []
      : [
          {
            start,
            end: start + PHONE.length,
            type: "PHONE",
            level: "S2" as const,
            rule: "contact/phone",
            confidence: 1,
            value: PHONE,
          },
        ];
  records.decision(
    { checkpoint: "onToolCallExecuted", message, sessionKey, signal: new AbortController().signal },
    {
      ...mergeDecisions(
        [{ router: "privacy", weight: 90, durationMs: 1, level, action: "transform", reason, findings }],
        [],
      ),
    },
    "redacted",
    1,
  );
}

function forward(over: Partial<ForwardEvent>): ForwardEvent {
  return {
    kind: "forward",
    requestId: "r",
    at: 1,
    providerId: "cloud",
    session: SESSION,
    api: "openai-completions",
    endpoint: "chat/completions",
    model: "m",
    local: false,
    stream: false,
    level: "S2",
    replaced: { PHONE: 1 },
    mediaWithheld: 0,
    signaturesStripped: 0,
    reasons: ["rule contact/phone"],
    degraded: undefined,
    requestBytes: 1,
    sentBytes: 1,
    inspectMs: 1,
    newest: "call [REDACTED:PHONE_1]",
    ...over,
  };
}

describe("what is written down", () => {
  it("holds no private value: not in texts, not in the words of a local model, not in errors", () => {
    decide(`call ${PHONE}`, "S2", `local model: a phone number, ${PHONE}`);
    decide(`my diary, ${PHONE}`, "S3", "local model: a diary");
    records.egress(forward({ reasons: [`local model: ${PHONE}`], degraded: `custom detector: ${PHONE}` }));
    expect(JSON.stringify([rows, events])).not.toContain(PHONE);
    expect(rows[0]?.text).toBe("call [REDACTED:PHONE_1]");
    expect(rows[1]?.text).toMatch(/^🔒\[PRIVATE:/);
  });

  it("keeps no text when told so, and none that is too long to be masked again", () => {
    decide("x".repeat(30_000), "S1", "nothing private found");
    keepText = false;
    decide("hello", "S1", "nothing private found");
    expect(rows.map((row) => row.text)).toEqual([undefined, undefined]);
  });

  it("makes a detection of what only the proxy found; the self-test's canaries are nobody's", () => {
    records.egress(forward({}));
    turn = { level: "S2", runId: "r1" };
    records.egress(forward({}));
    records.egress(forward({ level: "S3" }));
    records.egress(forward({ providerId: `${SELFTEST_PREFIX}x` }));
    expect(rows.map((row) => [row.checkpoint, row.level, row.run])).toEqual([
      ["outbound", "S2", undefined],
      ["outbound", "S3", "r1"],
    ]);
    expect(events).toHaveLength(3);
  });

  it("leaves out the self-test's conversations, and what it asks outside of one", () => {
    const session = `agent:main:${SELFTEST_PREFIX}01ab9f-title`;
    for (const own of [session, SELFTEST_SCOPE]) records.egress(forward({ session: own }));
    decide("hello", "S1", "nothing private found", session);
    expect([rows, events]).toEqual([[], []]);
    decide("hello", "S1", "nothing private found");
    expect(rows).toHaveLength(1);
  });
});
