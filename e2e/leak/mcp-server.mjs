// A small MCP server over stdio (https://modelcontextprotocol.io): its one tool gives back a file of the workspace.
import { readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "leaknotes", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({
    tools: [
      {
        name: "notes",
        description: "Gives back the notes kept under a name",
        inputSchema: { type: "object", properties: { file: { type: "string" } }, required: ["file"] },
      },
    ],
  }),
  "tools/call": ({ arguments: { file } }) => {
    const text = readFileSync(
      path.join(process.env.HOME, ".openclaw", "workspace", path.basename(file)),
      "utf8",
    );
    return { content: [{ type: "text", text }], structuredContent: { text } };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  let reply;
  try {
    const answer = answers[method];
    reply = answer
      ? { result: answer(params ?? {}) }
      : { error: { code: -32601, message: `no method ${method}` } };
  } catch (error) {
    reply = { error: { code: -32000, message: String(error) } };
  }
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...reply })}\n`);
}
