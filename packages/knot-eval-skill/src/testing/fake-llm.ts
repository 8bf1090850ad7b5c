import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A scripted OpenAI-compatible (and Ollama) chat server on loopback. Test code only. */
export interface FakeLlm {
  /** Base URL for `agent.llm.base_url` (OpenAI); Ollama's is the same without /v1. */
  url: string;
  requests: {
    path: string;
    authorization: string | undefined;
    body: { model?: string; messages?: { role: string; content: string }[] };
  }[];
  close(): Promise<void>;
}

export type LlmScript = (prompt: string, count: number) => string | { status: number; body: string };

export async function startFakeLlm(script: LlmScript, port = 0): Promise<FakeLlm> {
  const requests: FakeLlm["requests"] = [];
  const server = createServer((request, reply) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = JSON.parse(
        Buffer.concat(parts).toString("utf8") || "{}",
      ) as FakeLlm["requests"][number]["body"];
      requests.push({ path: request.url ?? "", authorization: request.headers.authorization, body });
      const answer = script(body.messages?.map((m) => m.content).join("\n---\n") ?? "", requests.length);
      if (typeof answer !== "string") {
        reply.writeHead(answer.status, { "content-type": "application/json" });
        reply.end(answer.body);
        return;
      }
      reply.writeHead(200, { "content-type": "application/json" });
      const ollama = request.url === "/api/chat";
      reply.end(
        JSON.stringify(
          ollama
            ? { message: { role: "assistant", content: answer }, done: true }
            : {
                choices: [
                  { index: 0, message: { role: "assistant", content: answer }, finish_reason: "stop" },
                ],
              },
        ),
      );
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
