/** Sums over calls in constant memory: a log-scale histogram stands for the percentiles. */
import { localDay } from "../store/paths.ts";
import type { CallRecord } from "./call-record.ts";

/** Values in buckets of 2 % width, 0.1 ms to about 28 hours. */
export class Histogram {
  readonly #buckets = new Uint32Array(1050);
  #count = 0;

  add(value: number): void {
    const bucket = value <= 0.1 ? 0 : Math.round(Math.log(value / 0.1) / Math.log(1.02));
    const index = Math.min(this.#buckets.length - 1, bucket);
    this.#buckets[index] = (this.#buckets[index] ?? 0) + 1;
    this.#count++;
  }

  /** @param q 0..1. @returns null when nothing was added. */
  quantile(q: number): number | null {
    if (this.#count === 0) return null;
    let rest = Math.ceil(q * this.#count);
    for (let i = 0; i < this.#buckets.length; i++) {
      rest -= this.#buckets[i] ?? 0;
      if (rest <= 0) return 0.1 * 1.02 ** i;
    }
    return null;
  }
}

export interface Totals {
  calls: number;
  errors: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  costUsd: number;
  /** Calls with tokens but no known price. */
  unpriced: number;
  ttfb: Histogram;
  duration: Histogram;
}

function newTotals(): Totals {
  return {
    calls: 0,
    errors: 0,
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    costUsd: 0,
    unpriced: 0,
    ttfb: new Histogram(),
    duration: new Histogram(),
  };
}

export class Stats {
  readonly groups = new Map<string, { day: string; model: string; totals: Totals }>();
  readonly all = newTotals();

  add(call: CallRecord): void {
    const day = localDay(new Date(call.at));
    const model = `${call.provider ?? "?"}/${call.model ?? "?"}`;
    const key = `${day}\n${model}`;
    let group = this.groups.get(key);
    if (!group) {
      group = { day, model, totals: newTotals() };
      this.groups.set(key, group);
    }
    for (const totals of [group.totals, this.all]) sum(totals, call);
  }

  sorted(): { day: string; model: string; totals: Totals }[] {
    return [...this.groups.values()].sort(
      (a, b) => a.day.localeCompare(b.day) || a.model.localeCompare(b.model),
    );
  }
}

function sum(totals: Totals, call: CallRecord): void {
  totals.calls++;
  if (call.outcome !== "ok") totals.errors++;
  const { usage } = call;
  if (usage) {
    totals.input += usage.input;
    totals.output += usage.output;
    totals.cacheRead += usage.cacheRead;
    totals.cacheWrite += usage.cacheWrite;
    if (call.costUsd === null) totals.unpriced++;
  }
  totals.costUsd += call.costUsd ?? 0;
  if (call.ttfbMs !== null) totals.ttfb.add(call.ttfbMs);
  if (call.durationMs !== null) totals.duration.add(call.durationMs);
}
