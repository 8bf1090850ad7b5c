import { createHash } from "node:crypto";
import type { EvalConfig } from "../config/schema.ts";
import type { Question } from "../questions/schema.ts";

/** One request to make: a question, and which of its repetitions. */
export interface Task {
  key: string;
  question: Question;
  repeat: number;
}

/** What makes an answer reusable: the same question put to the same agent in the same way. */
function agentFingerprint(config: EvalConfig): string {
  const { agent } = config;
  return JSON.stringify([
    agent.knot_url,
    agent.agent_id,
    agent.model,
    agent.temperature,
    agent.enable_web_search,
    agent.chat_extra,
    agent.answer_messages,
    config.eval.prompt_version,
  ]);
}

/**
 * One task for every question and repetition. Equal questions get different keys by their occurrence: of three
 * equal ones with one answer on disk, two are still to be asked.
 */
export function planTasks(questions: readonly Question[], config: EvalConfig): Task[] {
  const agent = agentFingerprint(config);
  const occurrences = new Map<string, number>();
  return questions.flatMap((question) => {
    const hash = createHash("sha256")
      .update(agent)
      .update("\0")
      .update(question.question)
      .digest("hex")
      .slice(0, 32);
    const occurrence = occurrences.get(hash) ?? 0;
    occurrences.set(hash, occurrence + 1);
    return Array.from({ length: config.eval.repeat }, (_, repeat) => ({
      key: `${hash}.${occurrence}.${repeat}`,
      question,
      repeat,
    }));
  });
}
