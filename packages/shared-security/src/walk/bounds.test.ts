import { expect, it } from "vitest";
import { openPayload, PayloadError } from "./payload.ts";

const user = (content: unknown) => ({ model: "m", messages: [{ role: "user", content }] });

it("a body of more texts than any request has is not read", () => {
  const parts = Array.from({ length: 60_000 }, (_, i) => ({ type: "text", text: `part ${i}` }));
  expect(openPayload(user(parts), "openai-chat").leaves).toHaveLength(60_000);
  const more = [...parts, { type: "text", text: "one more" }];
  expect(() => openPayload(user(more), "openai-chat")).toThrow(PayloadError);
});

it("JSON in texts is taken apart up to a size, then read as text: nothing is left out", () => {
  const json = (length: number) => JSON.stringify({ password: "hunter2", pad: "x".repeat(length) });
  const small = openPayload(user(json(1000)), "openai-chat");
  expect(small.leaves.map(({ kind }) => kind)).toEqual(["key", "data", "key", "data"]);
  const large = openPayload(user(json(2 * 1024 * 1024)), "openai-chat");
  expect(large.leaves.map(({ kind, text }) => [kind, text.includes("hunter2")])).toEqual([["text", true]]);
  const one = json(1024 * 1024);
  const three = openPayload(
    { model: "m", messages: [one, one, one].map((content) => ({ role: "user", content })) },
    "openai-chat",
  );
  expect(three.leaves.filter(({ text }) => text.includes("hunter2")).map(({ kind }) => kind)).toEqual([
    "data",
    "text",
    "text",
  ]);
});
