import type { LeafRole } from "./types.ts";

/**
 * What a field of a protocol is. An array has the shape of its items; a field that no shape names is text, so
 * that what a vendor adds tomorrow is read, not passed by.
 */
export type Shape =
  | { is: "text"; role?: LeafRole }
  /** Left alone when it looks like an identifier, read as text when it does not. */
  | { is: "model" | "id" | "word" | "name" }
  /** JSON text in a string. */
  | { is: "json"; role: LeafRole }
  /** Free-form data: every string, property name and long number counts. */
  | { is: "data"; role: LeafRole }
  /** JSON Schema: its prose is text, its structure is not. */
  | { is: "schema" }
  | { is: "media"; media: "image" | "audio" | "video" | "file" }
  /** Reference to an uploaded file. */
  | { is: "file-id"; media: "image" | "audio" | "video" | "file" }
  | { is: "opaque" }
  | ObjectShape;

export interface ObjectShape {
  is: "object";
  fields: Record<string, Shape>;
  /** Shape of all other fields; text when not given. */
  rest?: Shape;
  /** Role of the texts inside, fixed or read from the object. */
  role?: LeafRole | ((object: Readonly<Record<string, unknown>>) => LeafRole | undefined);
}

export const text = (role?: LeafRole): Shape => ({ is: "text", role });
export const model: Shape = { is: "model" };
export const id: Shape = { is: "id" };
export const word: Shape = { is: "word" };
export const name: Shape = { is: "name" };
export const schema: Shape = { is: "schema" };
export const opaque: Shape = { is: "opaque" };
export const json = (role: LeafRole): Shape => ({ is: "json", role });
export const data = (role: LeafRole): Shape => ({ is: "data", role });
export const media = (kind: "image" | "audio" | "video" | "file"): Shape => ({ is: "media", media: kind });
export const fileId = (kind: "image" | "audio" | "video" | "file"): Shape => ({ is: "file-id", media: kind });
export const object = (fields: Record<string, Shape>, role?: ObjectShape["role"]): ObjectShape => ({
  is: "object",
  fields,
  role,
});

/** Role of a message by its own `role` field. */
export function roleOfMessage(message: Readonly<Record<string, unknown>>): LeafRole | undefined {
  switch (message.role) {
    case "system":
    case "developer":
      return "system";
    case "user":
      return "user";
    case "assistant":
    case "model":
      return "assistant";
    case "tool":
    case "function":
      return "tool";
    default:
      return undefined;
  }
}
