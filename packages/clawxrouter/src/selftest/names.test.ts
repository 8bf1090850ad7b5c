import { expect, it } from "vitest";
import { isSelfTestSession, SELFTEST_SCOPE, selfTestSession } from "./names.ts";

it("knows the self-test's conversations, and nobody else's", () => {
  for (const own of [SELFTEST_SCOPE, `agent:main:${selfTestSession("01ab9f", "chat.send-s2")}`])
    expect(isSelfTestSession(own), own).toBe(true);
  for (const other of [
    undefined,
    "",
    "agent:main:main",
    "memory:main",
    "agent:main:clawxrouter-selftest-notes",
    "clawxrouter-selftest-01ab9f-x",
    "agent:main:about-clawxrouter-selftest-01ab9f-x",
  ])
    expect(isSelfTestSession(other), other).toBe(false);
});
