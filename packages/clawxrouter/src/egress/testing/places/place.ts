export const CHAT = "/v1/chat/completions";
export const RESPONSES = "/v1/responses";
export const MESSAGES = "/v1/messages";
export const GENERATE = "/v1beta/models/gemini:generateContent";
export const OLLAMA = "/api/chat";
export const EMBED = "/v1/embeddings";

/** Where a value can stand in a request, and the request with it there. */
export type Place = [name: string, path: string, body: (secret: string) => unknown];

/** A part of a request that holds the value. */
export type Holding<T = object> = (secret: string) => T;

export const said = (content: unknown) => ({ role: "user", content });
export const hi = [said("hi")];
/** As a JSON number where it is one. */
export const number = (s: string) => Number(s) || s;
export const base64 = (text: string) => Buffer.from(text).toString("base64");

/** Makes places of one endpoint: `base` is what every request to it must hold, and may be overridden. */
export const placesOf =
  (path: string, base: object) =>
  (name: string, fields: Holding): Place => [name, path, (s) => ({ ...base, ...fields(s) })];
