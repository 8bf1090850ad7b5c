/** Bodies that the proxy has gone through itself: the guard of the process need not read them again, in full, each time. */
const checked = new WeakSet<object>();

/** Notes that a body is as the proxy made it; it must not be changed afterwards. */
export function markChecked(body: Buffer): void {
  checked.add(body);
}

/** Whether it is that very body, not one that holds the same. */
export function isChecked(body: unknown): boolean {
  return typeof body === "object" && body !== null && checked.has(body);
}
