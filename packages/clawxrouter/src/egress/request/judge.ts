import type { InspectContext, InspectItem, TextInspector, TextVerdict } from "../types.ts";
import { RefusedError } from "./refused-error.ts";
import { Turns } from "./turns.ts";
import { type CachedVerdict, VerdictCache } from "./verdict-cache.ts";

/** Texts judged in one call of the inspector, in UTF-16 units: between calls the event loop gets its turn. */
const BATCH_UNITS = 128 * 1024;

/** Asks the inspector, once per distinct text and version of the rules. */
export class Judge {
  readonly #inspector: TextInspector;
  readonly #cache = new VerdictCache();

  constructor(inspector: TextInspector) {
    this.#inspector = inspector;
  }

  /**
   * Verdicts for all items, in their order.
   * @throws RefusedError `inspect-failed` when the inspector throws, is late or does not judge every text
   */
  async judge(
    items: readonly InspectItem[],
    context: InspectContext,
    timeoutMs: number,
  ): Promise<CachedVerdict[]> {
    const version = this.#inspector.version();
    this.#cache.useVersion(version);
    const turns = new Turns();
    const keys: string[] = [];
    for (const { text, role, kind } of items) {
      if (turns.due()) await turns.pause();
      keys.push(this.#cache.key(text, `${kind}:${role}`));
    }
    const known = new Map<string, CachedVerdict>();
    const asked = new Map<string, InspectItem>();
    items.forEach((item, index) => {
      const key = keys[index] ?? "";
      if (known.has(key) || asked.has(key)) return;
      const entry = this.#cache.get(key);
      if (entry) known.set(key, entry);
      else asked.set(key, item);
    });
    if (asked.size > 0) {
      const deadline = new Deadline(context.signal, timeoutMs);
      try {
        for (const [turn, batch] of batches([...asked]).entries()) {
          if (turn > 0) await turns.yield();
          const verdicts = await this.#ask(batch, { ...context, signal: deadline.signal });
          batch.forEach(([key, { text }], index) => {
            const verdict = verdicts[index];
            if (verdict) known.set(key, this.#cache.add(key, text, verdict, version));
          });
        }
      } finally {
        deadline.clear();
      }
    }
    return keys.map((key) => {
      const entry = known.get(key);
      if (!entry) throw new RefusedError("inspect-failed", "the privacy detector did not judge every text");
      return entry;
    });
  }

  async #ask(
    batch: ReadonlyArray<readonly [string, InspectItem]>,
    context: InspectContext,
  ): Promise<readonly TextVerdict[]> {
    const { signal } = context;
    const aborted = Promise.withResolvers<never>();
    const onAbort = (): void => aborted.reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      signal.throwIfAborted();
      const items = batch.map(([, item]) => item);
      const verdicts = await Promise.race([this.#inspector.inspect(items, context), aborted.promise]);
      if (verdicts.length !== batch.length) {
        throw new RefusedError("inspect-failed", "the privacy detector did not judge every text");
      }
      return verdicts;
    } catch (error) {
      if (error instanceof RefusedError) throw error;
      // A detector's message may quote what it read: only the kind of error is told.
      const why = signal.aborted
        ? "it did not answer in time"
        : error instanceof Error
          ? error.name
          : "unknown";
      throw new RefusedError("inspect-failed", `the privacy detector failed (${why})`);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }
}

/** A signal that fires with another or when time is up; unlike `AbortSignal.timeout` it leaves no timer behind. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #outer: AbortSignal;
  readonly #abort = (): void => this.#controller.abort(this.#outer.reason);

  constructor(outer: AbortSignal, ms: number) {
    this.#outer = outer;
    this.#timer = setTimeout(
      () => this.#controller.abort(new DOMException("time is up", "TimeoutError")),
      ms,
    );
    if (outer.aborted) this.#abort();
    else outer.addEventListener("abort", this.#abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener("abort", this.#abort);
  }
}

function batches(
  items: ReadonlyArray<readonly [string, InspectItem]>,
): Array<Array<readonly [string, InspectItem]>> {
  const out: Array<Array<readonly [string, InspectItem]>> = [];
  let units = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const length = item[1].text.length;
    if (units + length > BATCH_UNITS) {
      out.push([]);
      units = 0;
    }
    out.at(-1)?.push(item);
    units += length;
  }
  return out;
}
