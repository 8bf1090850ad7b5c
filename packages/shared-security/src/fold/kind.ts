import type { Decoded } from "./decoded.ts";

/** One way to write characters as something else. */
export interface Kind {
  /** The character that each escape begins with. */
  readonly sign: string;
  /** Whether one begins at `at`, where the sign stands. */
  readonly begins: (text: string, at: number) => boolean;
  /** Decodes what begins at `at` and says where that ends; undefined where nothing does. */
  readonly decode: (text: string, at: number, to: number, decoded: Decoded) => number | undefined;
}
