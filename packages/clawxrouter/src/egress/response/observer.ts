import { asObject, type JsonObject, parseJson } from "../json.ts";
import type { Protocol } from "../protocols/types.ts";
import type { Usage } from "../types.ts";

/** Marks of an event that says something worth parsing it for: token usage, reasoning signatures. */
const TELLING =
  /"(?:usage|usageMetadata|eval_count|signature|encrypted_content|thought_?signature|reasoning_details)"/i;

/** Reads along in an answer without touching it. */
export class ResponseObserver {
  readonly #protocol: Protocol;
  readonly #onSignatures: ((event: JsonObject) => void) | undefined;
  #usage: Usage | undefined;

  constructor(protocol: Protocol, onSignatures?: (event: JsonObject) => void) {
    this.#protocol = protocol;
    this.#onSignatures = onSignatures;
  }

  /** Usage seen so far; later events add to earlier ones (Anthropic tells input first, output last). */
  get usage(): Usage | undefined {
    return this.#usage;
  }

  /** Looks at the JSON text of an event or a whole answer, parsing only when it says something. */
  seeText(data: string): void {
    if (!TELLING.test(data)) return;
    const event = asObject(parseJson(data));
    if (event) this.see(event);
  }

  /** Looks at a parsed event or whole answer. */
  see(event: JsonObject): void {
    const usage = this.#protocol.usage(event);
    if (usage) {
      const told = Object.entries(usage).filter(([, value]) => value !== undefined);
      this.#usage = { ...this.#usage, ...Object.fromEntries(told) };
    }
    this.#onSignatures?.(event);
  }
}
