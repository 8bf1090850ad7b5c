import { StringDecoder } from "node:string_decoder";
import { Turns } from "./turns.ts";

/** Up to this size all is done at once, in bytes or UTF-16 units. */
const AT_ONCE = 2 * 1024 * 1024;

/** UTF-8 to text; a large body in turns. As `toString("utf8")`: what is no UTF-8 becomes U+FFFD. */
export async function decodeInTurns(bytes: Buffer): Promise<string> {
  if (bytes.length <= AT_ONCE) return bytes.toString("utf8");
  const decoder = new StringDecoder("utf8");
  const turns = new Turns();
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += AT_ONCE) {
    parts.push(decoder.write(bytes.subarray(at, at + AT_ONCE)));
    await turns.pause();
  }
  parts.push(decoder.end());
  return await copied(turns, () => parts.join(""));
}

/** Text to UTF-8; a large one in turns. */
export async function encodeInTurns(text: string): Promise<Buffer> {
  if (text.length <= AT_ONCE) return Buffer.from(text, "utf8");
  const turns = new Turns();
  const parts: Buffer[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + AT_ONCE);
    const unit = text.charCodeAt(end - 1);
    // Not between the halves of a pair.
    if (end < text.length && unit >= 0xd800 && unit <= 0xdbff) end -= 1;
    parts.push(Buffer.from(text.slice(at, end), "utf8"));
    at = end;
    await turns.pause();
  }
  return await copied(turns, () => Buffer.concat(parts));
}

/** A copy of some tens of megabytes is a stretch of its own: nothing more is done in the same turn of the loop. */
async function copied<T>(turns: Turns, copy: () => T): Promise<T> {
  await turns.pause();
  const whole = copy();
  await turns.pause();
  return whole;
}
