/**
 * Longest stretch between two turns of the event loop while `work` runs, in milliseconds of this thread's CPU: what
 * else the machine does at the time does not count.
 */
export async function longestStretch(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let running = true;
  let since = process.threadCpuUsage();
  const look = (): void => {
    longest = Math.max(longest, cpuMs(since));
    since = process.threadCpuUsage();
    if (running) setImmediate(look);
  };
  setImmediate(look);
  await new Promise((resolve) => setImmediate(resolve));
  longest = 0;
  await work();
  look();
  running = false;
  return longest;
}

/** Milliseconds of this thread's CPU since `since`, a `process.threadCpuUsage()`: unlike a clock, it stands while others run. */
export function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(since);
  return (user + system) / 1000;
}

/**
 * {@link longestStretch} of the best of some tries: the CPU of a thread is counted in ticks of milliseconds, and what
 * shares its core makes it slower.
 * @param enough no more tries below this many milliseconds
 */
export async function leastStretch(
  tries: number,
  enough: number,
  work: () => Promise<void>,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < tries && least >= enough; run += 1)
    least = Math.min(least, await longestStretch(work));
  return least;
}
