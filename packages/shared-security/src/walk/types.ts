/** What a request or response body of a model API consists of, for one who must read or change its text. */

/** The wire protocols whose fields are known; anything else is `unknown` and all of it counts as text. */
export type WireProtocol =
  | "openai-chat"
  | "openai-responses"
  | "anthropic-messages"
  | "google-generative-ai"
  | "ollama"
  | "embeddings"
  | "unknown";

/** Whose text it is. */
export type LeafRole =
  | "system"
  | "user"
  | "assistant"
  | "tool"
  | "tool-arguments"
  | "tool-definition"
  | "input"
  | "other";

/** Steps from the body to a value; a step into JSON-in-a-string is a step like any. */
export type Path = readonly (string | number)[];

/** One text that can be replaced. */
export interface Leaf {
  /** Decoded: as a reader of the JSON sees it. */
  readonly text: string;
  readonly role: LeafRole;
  /**
   * `text`: prose of the protocol. `data`: a string of free-form data (tool arguments, JSON in a text).
   * `key`: a property name in such data. `number`: a whole number of 7 or more digits in it; replaced by a string.
   */
  readonly kind: "text" | "data" | "key" | "number";
  /** Property name the text stands under, in `data`: what tells a password from a title. */
  readonly key: string | undefined;
  /** Leaves of one piece of free-form data share a zone. */
  readonly zone: number | undefined;
  /** Where it is; computed when asked for. */
  path(): Path;
}

/** Something in the body that no text detector can read. A policy decides whether it may leave. */
export interface Unscanned {
  /** `opaque`: encrypted or signed by the provider. `tokens`: text as token numbers. */
  readonly kind: "image" | "audio" | "video" | "file" | "opaque" | "tokens";
  /** Media type (RFC 2046) as told by the body; undefined when it does not tell. */
  readonly mediaType: string | undefined;
  readonly path: Path;
  /** Size in bytes when it is in the body; undefined for a URL or a file id. */
  readonly bytes: number | undefined;
  /** How the body carries it. */
  readonly carried: "inline" | "url" | "id";
}

/** A string that is the protocol's own and must not be changed. Listed so that a last check can look at it. */
export interface Excluded {
  readonly text: string;
  readonly path: Path;
  readonly why: "model" | "id" | "word" | "schema" | "name";
}
