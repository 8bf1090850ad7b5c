/** What stands in files: memory, bootstrap files, embeddings, attachments. */
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { call, SAFE, turns } from "../../../packages/clawxrouter/src/selftest/paths.ts";
import type { Scene, Stage } from "../stage.ts";

function write(stage: Stage, name: string, text: string): void {
  const file = path.join(stage.workspace, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const base64 = (content: Buffer | string) => Buffer.from(content).toString("base64");

/** A PNG (https://www.w3.org/TR/png-3/) of 64 x 64 points, with a text chunk. */
function png(text: string): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.from([0, 0, 0, 64, 0, 0, 0, 64, 8, 0, 0, 0, 0]);
  const points = deflateSync(Buffer.alloc(65 * 64, 0x7f));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("tEXt", Buffer.concat([Buffer.from("Comment\0", "latin1"), Buffer.from(text)])),
    chunk("IDAT", points),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

export const FILES: readonly Scene[] = [
  {
    name: "MEMORY.md and memory days",
    quick: true,
    play: async (stage, values) => {
      write(stage, "MEMORY.md", `# Memory\n${values.both}\n`);
      write(stage, "memory/2026-11-30.md", `# Day\n${values.s2}\n`);
      return turns(stage, stage.session("memory"), ["What do you remember?", SAFE]);
    },
  },
  {
    name: "bootstrap files",
    play: async (stage, values) => {
      write(stage, "USER.md", `# User\n${values.both}\n`);
      write(stage, "AGENTS.md", `# Agents\n${values.s2}\n`);
      try {
        return await turns(stage, stage.session("bootstrap"), ["Who am I?", SAFE]);
      } finally {
        for (const name of ["USER.md", "AGENTS.md"])
          rmSync(path.join(stage.workspace, name), { force: true });
      }
    },
  },
  {
    name: "embeddings: memory search and CLI index",
    reaches: ["embed", "cloud"],
    play: async (stage, values) => {
      // Longer than a chunk of the index: its middle comes without a line that says what it is.
      const lines = Array.from({ length: 50 }, () => randomBytes(48).toString("base64"));
      const edge = (word: string) => `-----${word} RSA ${"PRIVATE"} KEY-----`;
      const text = [edge("BEGIN"), ...lines, edge("END")].join("\n");
      values.add({ name: "key-long", level: "S3", text, values: lines });
      write(stage, "memory/2026-11-27.md", `# Day\n${values.both}\n\n${text}\n`);
      await stage.gateway.cli(["memory", "index", "--force"]);
      stage.cloud(
        "Search your memory",
        call("tool_call", { id: "memory_search", args: { query: values.s2.slice(0, 200) } }),
        { text: "searched" },
      );
      return turns(stage, stage.session("embed"), ["Search your memory", SAFE]);
    },
  },
  {
    name: "attachment: text",
    play: async (stage, values) => {
      const session = stage.session("attach-text");
      const text = base64(values.both);
      return [
        await stage.turn(session, "Look at the attachment", {
          via: "chat.send",
          attachments: [{ type: "file", mimeType: "text/plain", fileName: "private.txt", content: text }],
        }),
        await stage.turn(session, SAFE, "chat.send"),
      ];
    },
  },
  {
    name: "attachment: image",
    play: async (stage, values) => {
      const session = stage.session("attach-image");
      const content = base64(png(values.both));
      return [
        await stage.turn(session, "Look at the picture", {
          via: "chat.send",
          attachments: [{ type: "image", mimeType: "image/png", fileName: "private.png", content }],
        }),
        await stage.turn(session, SAFE, "chat.send"),
      ];
    },
  },
  {
    name: "attachment: audio, and what is said in it",
    play: async (stage, values) => {
      const session = stage.session("attach-audio");
      const content = base64(values.both);
      return [
        await stage.turn(session, "Listen to this", {
          via: "chat.send",
          attachments: [{ type: "audio", mimeType: "audio/mpeg", fileName: "private.mp3", content }],
        }),
        await stage.turn(session, SAFE, "chat.send"),
      ];
    },
  },
];
