/** Short notices that come and go; a screen reader hears them. */
import { signal } from "@preact/signals";

export interface Toast {
  id: number;
  tone: "good" | "bad" | "info";
  text: string;
}

const STAY_MS = 6_000;
let last = 0;
export const toasts = signal<readonly Toast[]>([]);

export function toast(text: string, tone: Toast["tone"] = "good"): void {
  const id = ++last;
  toasts.value = [...toasts.value.slice(-3), { id, tone, text }];
  // A fault stays until it is closed.
  if (tone !== "bad") setTimeout(() => dropToast(id), STAY_MS);
}

export function dropToast(id: number): void {
  toasts.value = toasts.value.filter((entry) => entry.id !== id);
}
