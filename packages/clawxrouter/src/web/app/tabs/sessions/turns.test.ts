import { describe, expect, it } from "vitest";
import { makeDetection, makeRequest } from "../../testing/sample.ts";
import { sameEvent, turnsOf } from "./turns.ts";

describe("the turns of a session", () => {
  const question = { ...makeDetection(1, 1_000, 0), loopId: "run-a" };
  const answer = makeRequest(1, 1_200, question);
  const title = { ...makeRequest(2, 1_300, question), loopId: null };
  const next = { ...makeDetection(3, 2_000, 2), loopId: "run-b" };

  it("hold what belongs together, oldest first, newest turn on top", () => {
    const turns = turnsOf([next, title, answer, question]);
    expect(turns.map((turn) => turn.loopId)).toEqual(["run-b", null, "run-a"]);
    expect(turns[2]?.items).toEqual([question, answer]);
    expect(turns[2]).toMatchObject({ startedAt: 1_000, level: "S1", opening: question, requests: [answer] });
    expect(turns[0]?.level).toBe("S3");
  });

  it("put a verdict before the request of the same millisecond", () => {
    const request = { ...answer, at: question.at };
    expect(turnsOf([request, question])[0]?.items.map((item) => item.kind)).toEqual(["detection", "request"]);
  });

  it("tell events apart by kind and number", () => {
    expect(sameEvent(question, { ...question, level: "S3" })).toBe(true);
    expect(sameEvent(question, answer)).toBe(false);
  });
});
