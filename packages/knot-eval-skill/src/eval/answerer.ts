import type { AskResult } from "../knot/client.ts";

/** Anything that can answer a question: the live agent or a recording. */
export interface Answerer {
  ask(
    question: string,
    options: {
      token: string;
      key: string;
      signal?: AbortSignal;
      onBytes?: (chunk: Uint8Array) => void;
      onRestart?: () => void;
    },
  ): Promise<AskResult & { finishedAt?: string }>;
}
