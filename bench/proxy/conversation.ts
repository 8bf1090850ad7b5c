import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

interface Message {
  role: "system" | "user" | "assistant";
  content: string;
}

const docs = fileURLToPath(new URL("../../node_modules/openclaw/docs/concepts", import.meta.url));
const PROSE = globSync("**/*.md", { cwd: docs })
  .toSorted()
  .map((file) => readFileSync(`${docs}/${file}`, "utf8"))
  .join("\n\n");

/** A conversation of about `bytes` bytes that no cache has seen: prose of documentation, a phone number every tenth message. */
export function conversation(bytes: number, seed: number): Message[] {
  const messages: Message[] = [{ role: "system", content: "You are a helpful assistant." }];
  const size = 2000;
  const count = Math.round(bytes / (size + 40));
  for (let index = 0; index < count; index += 1) {
    const at = (index * size + seed * 977) % (PROSE.length - size);
    // The number at the head makes each text new; the phone number is a value that has to be replaced and found again.
    const contact = index % 10 === 5 ? ` Call me on ${phone(seed, index)}.` : "";
    messages.push({
      role: index % 2 === 0 ? "user" : "assistant",
      content: `(${seed}.${index}) ${PROSE.slice(at, at + size)}${contact}`,
    });
  }
  return messages;
}

/** A body of Chat Completions. `echo` asks the upstream to stream the last message back. */
export function chatBody(messages: readonly Message[], echo?: { pieces: number; gapMs: number }): Buffer {
  const model = echo ? `echo-${echo.pieces}-${echo.gapMs}` : "bench";
  return Buffer.from(JSON.stringify({ model, stream: echo !== undefined, messages }));
}

/** The conversation one turn later. */
export function nextTurn(messages: readonly Message[], seed: number): Message[] {
  return [
    ...messages,
    { role: "assistant", content: `Answer ${seed}: all of that is in the second chapter.` },
    {
      role: "user",
      content: `Question ${seed}: and what about the third one? Call ${phone(seed, 7)} when it is done.`,
    },
  ];
}

/** A made-up Chinese mobile number. */
export function phone(seed: number, index: number): string {
  return `139${String((seed * 7919 + index * 104_729) % 100_000_000).padStart(8, "0")}`;
}
