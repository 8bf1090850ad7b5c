/** `value` as it stands between the quotes of a JSON string (RFC 8259). */
export function jsonEscape(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}
