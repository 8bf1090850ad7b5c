/** At most one call in `ms`; the last one always happens. For lists that follow a stream. */
export function throttle(call: () => void, ms: number): { run: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    run() {
      timer ??= setTimeout(() => {
        timer = undefined;
        call();
      }, ms);
    },
    cancel() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
