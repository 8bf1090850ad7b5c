/** One question to a local model. */
export interface Question {
  system: string;
  user: string;
  /** JSON schema of the answer; a protocol that cannot enforce it ignores it. */
  schema: Readonly<Record<string, unknown>>;
  signal: AbortSignal;
}

/** A way to reach a local model. */
export interface LocalModelProtocol {
  /** The model's text, whatever it is. Rejects with a short message free of the question's text. */
  ask(question: Question): Promise<string>;
}
