/** Ollama's own `/api/chat`, by its official client. @see https://docs.ollama.com/api/chat */
import { Ollama } from "ollama";
import type { LocalModelProtocol, Question } from "./types.ts";

export class OllamaNative implements LocalModelProtocol {
  private readonly host: string;
  private readonly model: string;

  constructor(options: { endpoint: string; model: string }) {
    this.host = options.endpoint.replace(/\/(?:v1|api)?\/?$/, "");
    this.model = options.model;
  }

  async ask(question: Question): Promise<string> {
    // A client of its own, so that aborting this question aborts no other.
    const client = new Ollama({ host: this.host });
    const abort = () => client.abort();
    question.signal.addEventListener("abort", abort, { once: true });
    try {
      question.signal.throwIfAborted();
      const response = await untilAborted(
        client.chat({
          model: this.model,
          stream: false,
          format: question.schema,
          options: { temperature: 0 },
          messages: [
            { role: "system", content: question.system },
            { role: "user", content: question.user },
          ],
        }),
        question.signal,
      );
      return response.message.content;
    } finally {
      question.signal.removeEventListener("abort", abort);
    }
  }
}

/** The client's abort reaches streams only; the wait ends with the signal in any case. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
