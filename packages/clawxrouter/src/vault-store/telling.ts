/** A border of a PEM text (RFC 7468) says that there is a key and nothing of it. */
const PEM_BORDER = /^\W{0,16}(?:BEGIN|END)(?: [A-Z0-9]{1,16}){0,6}\W{0,16}$/;

/**
 * True for what tells nothing private: a border without a key, some punctuation. Looked for as a value it would be found
 * in every conversation.
 */
export function saysNothing(value: string): boolean {
  return /[\p{L}\p{N}]/u.test(value) ? PEM_BORDER.test(value) : value.length < 4;
}
