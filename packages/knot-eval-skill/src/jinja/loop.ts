import { equals, PythonError } from "./python.ts";
import type { CallArgs } from "./runtime.ts";

/** The `loop` variable of a for block. */
export class Loop {
  readonly #items: readonly unknown[];
  readonly #recurse: ((items: unknown) => unknown) | undefined;
  readonly depth: number;
  #at = 0;
  #last: { value: unknown[] } | undefined;

  constructor(items: readonly unknown[], depth: number, recurse: ((items: unknown) => unknown) | undefined) {
    this.#items = items;
    this.depth = depth;
    this.#recurse = recurse;
  }

  moveTo(index: number): void {
    this.#at = index;
  }

  attribute(name: string): unknown {
    const at = this.#at;
    const total = this.#items.length;
    switch (name) {
      case "index":
        return at + 1;
      case "index0":
        return at;
      case "revindex":
        return total - at;
      case "revindex0":
        return total - at - 1;
      case "first":
        return at === 0;
      case "last":
        return at === total - 1;
      case "length":
        return total;
      case "depth":
        return this.depth;
      case "depth0":
        return this.depth - 1;
      case "previtem":
        return at > 0 ? this.#items[at - 1] : undefined;
      case "nextitem":
        return at < total - 1 ? this.#items[at + 1] : undefined;
      case "cycle":
        return (call: CallArgs) => call.args[at % call.args.length];
      case "changed":
        return (call: CallArgs) => {
          const value = [...call.args];
          const changed = !this.#last || !equals(this.#last.value, value);
          this.#last = { value };
          return changed;
        };
      default:
        return undefined;
    }
  }

  call(call: CallArgs): unknown {
    if (!this.#recurse) throw new PythonError("TypeError", "loop(...) needs a loop marked `recursive`");
    return this.#recurse(call.args[0]);
  }
}
