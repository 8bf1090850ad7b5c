import { hash } from "node:crypto";
import { asString, isObject, type Json, type JsonObject } from "./json.ts";

/** Google's documented value for function calls whose thought signature comes from another model. */
const GOOGLE_SKIP = "skip_thought_signature_validator";

/**
 * The family of a model: signatures of one family mean nothing to another, and are answered with an error.
 * `claude-sonnet-4.6` and `anthropic/claude-opus-4` are one; `gpt-5` and `o4-mini` are OpenAI's.
 */
export function modelFamily(model: string): string {
  const name = model.toLowerCase().split("/").at(-1) ?? "";
  if (/^(?:gpt|chatgpt|codex|o\d)/.test(name)) return "openai";
  return /^[a-z]+/.exec(name)?.[0] ?? name;
}

/**
 * Remembers which family issued which reasoning signature (Anthropic `thinking.signature` and
 * `redacted_thinking.data`, OpenAI `encrypted_content`, Google `thoughtSignature`), by digest, and takes foreign
 * ones out of requests when a conversation has changed models.
 */
export class SignatureLedger {
  readonly #families = new Map<string, string>();
  readonly #capacity: number;

  /** @param capacity most signatures remembered; the oldest go first */
  constructor(capacity = 20_000) {
    this.#capacity = capacity;
  }

  /** Learns the signatures in an answer or a stream event. Signatures that arrive in pieces are learnt whole when repeated. */
  learn(value: JsonObject, family: string): void {
    for (const signature of signaturesIn(value)) this.#remember(signature, family);
  }

  /**
   * Takes out of a request what another family signed. What is unknown stays: the host may know better.
   * @returns how many were taken out
   */
  strip(body: JsonObject, family: string): number {
    if (this.#families.size === 0) return 0;
    const foreign = (signature: Json | undefined): boolean => {
      if (typeof signature !== "string" || signature === "") return false;
      const known = this.#families.get(digest(signature));
      return known !== undefined && known !== family;
    };
    return stripFrom(body, foreign);
  }

  #remember(signature: string, family: string): void {
    const key = digest(signature);
    this.#families.delete(key);
    this.#families.set(key, family);
    if (this.#families.size <= this.#capacity) return;
    const oldest = this.#families.keys().next();
    if (!oldest.done) this.#families.delete(oldest.value);
  }
}

type IsForeign = (signature: Json | undefined) => boolean;

function stripFrom(value: JsonObject | Json[], foreign: IsForeign): number {
  let stripped = 0;
  if (Array.isArray(value)) {
    for (let index = value.length - 1; index >= 0; index -= 1) {
      const item = value[index];
      if (isObject(item) && isSignedPart(item, foreign)) {
        value.splice(index, 1);
        stripped += 1;
      } else if (isObject(item) || Array.isArray(item)) stripped += stripFrom(item, foreign);
    }
    return stripped;
  }
  for (const key of ["thoughtSignature", "thought_signature"]) {
    if (!foreign(value[key])) continue;
    // A function call needs a signature, and Google names this one for calls of other models.
    if (
      value.functionCall !== undefined ||
      value.function_call !== undefined ||
      key === "thought_signature"
    ) {
      value[key] = GOOGLE_SKIP;
    } else delete value[key];
    stripped += 1;
  }
  for (const [key, item] of Object.entries(value)) {
    if (!isObject(item) && !Array.isArray(item)) continue;
    const held = stripFrom(item, foreign);
    // A message may not be empty: Anthropic refuses it.
    if (held > 0 && key === "content" && Array.isArray(item) && item.length === 0) {
      item.push({ type: "text", text: "(reasoning omitted)" });
    }
    stripped += held;
  }
  return stripped;
}

/** Parts that exist for their signature alone: without it they are worth nothing to another model. */
function isSignedPart(part: JsonObject, foreign: IsForeign): boolean {
  switch (part.type) {
    case "thinking":
      return foreign(part.signature);
    case "redacted_thinking":
    case "reasoning.encrypted":
      return foreign(part.data);
    case "reasoning":
      return foreign(part.encrypted_content);
    case "reasoning.text":
      return foreign(part.signature);
    default:
      return false;
  }
}

function* signaturesIn(value: JsonObject | Json[]): Generator<string> {
  if (Array.isArray(value)) {
    for (const item of value) if (isObject(item) || Array.isArray(item)) yield* signaturesIn(item);
    return;
  }
  for (const key of ["signature", "encrypted_content", "thoughtSignature", "thought_signature"]) {
    const signature = asString(value[key]);
    if (signature !== undefined && signature !== "") yield signature;
  }
  if (value.type === "redacted_thinking" || value.type === "reasoning.encrypted") {
    const data = asString(value.data);
    if (data !== undefined) yield data;
  }
  for (const item of Object.values(value))
    if (isObject(item) || Array.isArray(item)) yield* signaturesIn(item);
}

function digest(signature: string): string {
  return hash("sha256", signature, "base64");
}
