import type { TextStream } from "@clawx/shared-security";

/** `json`: the text is JSON, restored values are escaped as inside its strings. */
export type TextKind = "text" | "json";

/** Puts values back in the place of placeholders. */
export interface Restorer {
  /** A whole text. */
  whole(text: string, kind: TextKind): string;
  /** One text that arrives in pieces; holds back no more than what may be the beginning of a placeholder. */
  stream(kind: TextKind): TextStream;
  /** How many placeholders have been put back so far. */
  count(): number;
}
