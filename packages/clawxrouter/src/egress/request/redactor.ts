import { setImmediate } from "node:timers/promises";
import type { Vault } from "@clawx/shared-security";
import type { JsonObject } from "../json.ts";
import type { EgressPolicy, InspectContext, RefusalCode, TextInspector, TextVerdict } from "../types.ts";
import { collectLeaves, type Leaf } from "./leaves.ts";
import { type MediaPart, ollamaImages } from "./media.ts";
import { type ReplaceReport, replacePrivate } from "./replace.ts";
import { VerdictCache } from "./verdict-cache.ts";

/** A request that must not leave; shown to the user, so free of private text. */
export class RefusedError extends Error {
  readonly code: RefusalCode;
  constructor(code: RefusalCode, message: string) {
    super(message);
    this.name = "RefusedError";
    this.code = code;
  }
}

/** What was done to a body. */
export interface RedactionReport extends ReplaceReport {
  reasons: string[];
  degraded: string | undefined;
  mediaWithheld: number;
}

/** Texts judged in one call of the inspector, in UTF-16 units: between calls the event loop gets its turn. */
const BATCH_UNITS = 128 * 1024;

/** Judges and redacts request bodies. One for the whole proxy: it keeps the verdicts. */
export class Redactor {
  readonly #inspector: TextInspector;
  readonly #vault: Vault;
  readonly #verdicts = new VerdictCache();

  constructor(inspector: TextInspector, vault: Vault) {
    this.#inspector = inspector;
    this.#vault = vault;
  }

  /**
   * Redacts a body in place.
   * @throws RefusedError when the policy, a failed detector or an unreadable part forbids sending
   */
  async redact(body: JsonObject, context: InspectContext, policy: EgressPolicy): Promise<RedactionReport> {
    const found = collectLeaves(body);
    const verdicts = await this.#judge(found.leaves, context, policy);
    const report: RedactionReport = {
      level: "S1",
      counts: {},
      minted: new Set(),
      reasons: [],
      degraded: undefined,
      mediaWithheld: 0,
    };
    const reasons = new Set<string>();
    found.leaves.forEach((leaf, index) => {
      const verdict = verdicts[index];
      if (!verdict) throw new RefusedError("inspect-failed", "a text was not judged");
      if (verdict.level !== "S1" && verdict.reason !== undefined) reasons.add(verdict.reason);
      report.degraded ??= verdict.degraded;
      const text = replacePrivate(leaf.text, verdict, this.#vault, context.session, report);
      if (text !== leaf.text) leaf.replace(text);
    });
    report.reasons = [...reasons].slice(0, 20);
    if (report.level === "S3" && policy.s3 === "block") {
      throw new RefusedError(
        "policy-s3",
        `private content (${[...reasons].join(", ") || "S3"}) is not sent to a cloud model`,
      );
    }
    if (report.level === "S2" && policy.s2 === "block") {
      throw new RefusedError(
        "policy-s2",
        `sensitive content (${[...reasons].join(", ") || "S2"}) is not sent to a cloud model`,
      );
    }
    found.commit();
    report.mediaWithheld = withholdMedia([...found.media, ...ollamaImages(body)], policy);
    return report;
  }

  async #judge(
    leaves: readonly Leaf[],
    context: InspectContext,
    policy: EgressPolicy,
  ): Promise<Array<TextVerdict | undefined>> {
    const version = this.#inspector.version();
    this.#verdicts.useVersion(version);
    const verdicts: Array<TextVerdict | undefined> = new Array(leaves.length);
    const asked = new Map<string, { leaf: Leaf; at: number[] }>();
    leaves.forEach((leaf, index) => {
      const key = this.#verdicts.key(leaf.text, leaf.role);
      const known = this.#verdicts.get(key);
      if (known) {
        verdicts[index] = known;
        return;
      }
      const same = asked.get(key);
      if (same) same.at.push(index);
      else asked.set(key, { leaf, at: [index] });
    });
    if (asked.size > 0) {
      const deadline = AbortSignal.timeout(policy.inspectTimeoutMs);
      const signal = AbortSignal.any([context.signal, deadline]);
      for (const [turn, batch] of batches([...asked]).entries()) {
        if (turn > 0) await setImmediate();
        const answers = await this.#ask(
          batch.map(([, { leaf }]) => leaf),
          { ...context, signal },
        );
        batch.forEach(([key, { at }], position) => {
          const verdict = answers[position];
          if (!verdict) throw new RefusedError("inspect-failed", "a text was not judged");
          this.#verdicts.set(key, verdict, version);
          for (const index of at) verdicts[index] = verdict;
        });
      }
    }
    return verdicts;
  }

  async #ask(leaves: readonly Leaf[], context: InspectContext): Promise<readonly TextVerdict[]> {
    const { signal } = context;
    let answers: readonly TextVerdict[];
    try {
      answers = await Promise.race([
        this.#inspector.inspect(
          leaves.map(({ text, role }) => ({ text, role })),
          context,
        ),
        new Promise<never>((_, reject) => {
          if (signal.aborted) reject(signal.reason);
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        }),
      ]);
    } catch (error) {
      const why = signal.aborted
        ? "it did not answer in time"
        : error instanceof Error
          ? error.name
          : "unknown error";
      throw new RefusedError("inspect-failed", `the privacy detector failed (${why})`);
    }
    if (answers.length !== leaves.length) {
      throw new RefusedError("inspect-failed", "the privacy detector did not judge every text");
    }
    return answers;
  }
}

function batches<T extends readonly [string, { leaf: Leaf }]>(items: readonly T[]): T[][] {
  const out: T[][] = [];
  let units = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const length = item[1].leaf.text.length;
    if (units + length > BATCH_UNITS) {
      out.push([]);
      units = 0;
    }
    out.at(-1)?.push(item);
    units += length;
  }
  return out;
}

function withholdMedia(parts: readonly MediaPart[], policy: EgressPolicy): number {
  let withheld = 0;
  for (const part of parts) {
    const rule = policy.media[part.kind];
    if (rule === "block") {
      throw new RefusedError(
        "media",
        `the request holds a part (${part.kind}) that cannot be checked for private content`,
      );
    }
    if (rule === "allow") continue;
    part.withhold(
      `[${part.kind} withheld by ClawXRouter: it cannot be checked for private content / ClawXRouter 未发送此${MEDIA_ZH[part.kind]}：无法检查其中的隐私内容]`,
    );
    withheld += 1;
  }
  return withheld;
}

const MEDIA_ZH = { image: "图片", audio: "音频", file: "文件" } as const;
