import { describe, expect, it } from "vitest";
import { newestText } from "./newest.ts";

describe("what is new in a request", () => {
  it("is what stands after the model's last answer, in every protocol", () => {
    expect(
      newestText([
        { role: "system", content: "rules" },
        { role: "user", content: "old" },
        { role: "assistant", content: "answer" },
        { role: "user", content: [{ type: "text", text: "new" }] },
      ]),
    ).toBe("new");
    expect(
      newestText([
        { role: "model", parts: [{ text: "a" }] },
        { role: "user", parts: [{ text: "b" }] },
      ]),
    ).toBe("b");
    expect(
      newestText([
        { type: "function_call", name: "x" },
        { type: "function_call_output", output: "done" },
      ]),
    ).toBe("done");
    expect(
      newestText([
        { role: "assistant", content: "x" },
        { role: "tool", content: "result" },
      ]),
    ).toBe("tool: result");
  });

  it("is cut, and nothing where there are no messages", () => {
    expect(newestText([{ role: "user", content: "x".repeat(50_000) }])).toHaveLength(2_000);
    expect(newestText(undefined)).toBeUndefined();
    expect(newestText([{ role: "assistant", content: "x" }])).toBeUndefined();
    expect(
      newestText([{ role: "user", content: [{ type: "image", source: { data: "AAAA" } }] }]),
    ).toBeUndefined();
  });
});
