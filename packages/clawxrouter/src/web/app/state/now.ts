import { signal } from "@preact/signals";

/** The time for "5 minutes ago", renewed twice a minute. */
export const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, 30_000);
