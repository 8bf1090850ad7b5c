import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Turn, TurnRegistry } from "./turns.ts";

const HOUR = 3_600_000;
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "performance"] }));
afterEach(() => void vi.useRealTimers());

function turn(localOnly: boolean): Turn {
  return {
    runId: "r",
    sessionKey: "s",
    agentId: "main",
    level: localOnly ? "S3" : "S1",
    localOnly,
    override: undefined,
    tier: undefined,
    blocked: undefined,
    reason: "",
    result: undefined,
    valuesOnly: false,
    seenAt: performance.now(),
  };
}

it("a private turn stays private while a slow local model thinks", () => {
  const turns = new TurnRegistry();
  turns.start(turn(true));
  vi.advanceTimersByTime(3 * HOUR);
  expect(turns.inSession("s")?.localOnly).toBe(true);
  turns.start({ ...turn(false), runId: "next" });
  expect(turns.inSession("s")?.localOnly).toBe(false);
  vi.advanceTimersByTime(HOUR);
  expect(turns.inSession("s")).toBeUndefined();
});

it("a clock that is set ends no turn", () => {
  const turns = new TurnRegistry();
  turns.start(turn(false));
  vi.setSystemTime(Date.now() + 9 * HOUR);
  expect(turns.inSession("s")).toBeDefined();
});

it("a run that the host tries again after its end goes on as it was, unless another turn has begun", () => {
  const turns = new TurnRegistry();
  turns.start(turn(true));
  turns.end("r");
  expect(turns.inSession("s")).toBeUndefined();
  turns.touch("r");
  expect(turns.inSession("s")).toMatchObject({ runId: "r", localOnly: true });
  turns.end("r");
  turns.start({ ...turn(false), runId: "next" });
  turns.touch("r");
  expect(turns.inSession("s")?.runId).toBe("next");
  turns.touch("unknown");
});
