import type { IncomingHttpHeaders } from "node:http";
import type { Vault } from "@clawx/shared-security";
import type { InspectContext, TextInspector } from "../types.ts";
import { Judge } from "./judge.ts";
import { NameJudge } from "./name-judge.ts";
import { NameCheck } from "./names.ts";
import { Turns } from "./turns.ts";

/** A header names no model. */
const NONE: ReadonlySet<string> = new Set();

/** Headers that are not passed on as they came, or that say nothing of a conversation. */
const OWN = new Set(["accept-encoding", "connection", "content-length", "host", "transfer-encoding"]);
/** What shows the provider who asks: it must go as it is, whoever has spoken of it. */
const CREDENTIAL = /^(?:authorization|cookie|.*api-?key|.*(?:-|^)(?:token|secret|signature|credential))$/;

/** A header that does not go along. */
export interface PrivateHeader {
  name: string;
  /** Type of what it holds. */
  type: string;
}

/** Looks for private values in the headers of a request, as in names: those that hold one do not go along. */
export class HeaderCheck {
  readonly #judge: NameJudge;
  readonly #names: NameCheck;

  constructor(inspector: TextInspector, vault: Vault) {
    this.#judge = new NameJudge(new Judge(inspector), inspector, vault);
    this.#names = new NameCheck(vault);
  }

  /** @throws RefusedError when the inspector fails */
  async find(
    headers: IncomingHttpHeaders,
    context: InspectContext,
    timeoutMs: number,
  ): Promise<PrivateHeader[]> {
    const told = Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined || OWN.has(name) || CREDENTIAL.test(name)) return [];
      return [{ name, text: Array.isArray(value) ? value.join(", ") : value }];
    });
    if (told.length === 0) return [];
    const turns = new Turns();
    const places = told.flatMap(({ name, text }) =>
      [name, text].map((part) => ({ text: part, path: [name], why: "id" as const })),
    );
    await this.#judge.learn(places, context, timeoutMs, turns, NONE);
    if (
      !(await this.#names.find(this.#names.ofCommon(told.flatMap(({ name, text }) => [name, text])), turns))
    )
      return [];
    const found: PrivateHeader[] = [];
    for (const { name, text } of told) {
      const hit = await this.#names.find(this.#names.of([name, text]), turns);
      if (hit) found.push({ name, type: hit.type });
    }
    return found;
  }
}
