import { send } from "./client.ts";
import { chatBody, phone } from "./conversation.ts";
import { rssMiB, type Subject } from "./subjects.ts";

/** What many streams at once came to. */
export interface StreamResult {
  streams: number;
  errors: number;
  /** Answers in which a value did not come back exactly. */
  wrong: number;
  seconds: number;
  /** Memory of the proxy's process over time, in MiB. */
  memory: Array<{ second: number; mib: number }>;
}

/**
 * Keeps `concurrent` streams running for `seconds` (at least one round): each echoes its own phone number back in
 * pieces, which must arrive restored.
 * @param gapMs pause between pieces, in milliseconds
 */
export async function manyStreams(
  subject: Subject,
  concurrent: number,
  seconds: number,
  gapMs: number,
): Promise<StreamResult> {
  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1000;
  const result: StreamResult = { streams: 0, errors: 0, wrong: 0, seconds: 0, memory: [] };
  const pid = subject.pid;
  const sample = (): void => {
    if (pid !== undefined) result.memory.push({ second: Math.round(elapsed()), mib: rssMiB(pid) });
  };
  const timer = setInterval(sample, seconds > 120 ? 10_000 : 1000);
  let lastLine = 0;
  const worker = async (id: number): Promise<void> => {
    for (let round = 0; round === 0 || elapsed() < seconds; round += 1) {
      // A conversation comes back turn after turn; after some turns it is another one.
      const number = phone(id, Math.floor(round / 20));
      const text =
        `Stream ${id} of round ${round} keeps ${number} to itself and says so in quite a few words. `.repeat(
          4,
        );
      try {
        const asked = chatBody([{ role: "user", content: text }], { pieces: 40, gapMs });
        const { status, body } = await send(subject, asked);
        const said = [...body.matchAll(/"content":"((?:[^"\\]|\\.)*)"/g)].map(([, piece]) => piece).join("");
        if (status !== 200 || !body.includes("[DONE]")) result.errors += 1;
        else if (said !== text) result.wrong += 1;
      } catch {
        result.errors += 1;
      }
      result.streams += 1;
      if (seconds > 120 && elapsed() - lastLine > 30) {
        lastLine = elapsed();
        console.log(
          `  ${elapsed().toFixed(0)} s: ${result.streams} streams, ${result.errors} errors, ${result.wrong} wrong, ` +
            `${result.memory.at(-1)?.mib.toFixed(0) ?? "?"} MiB`,
        );
      }
    }
  };
  await Promise.all(Array.from({ length: concurrent }, (_, id) => worker(id)));
  clearInterval(timer);
  sample();
  result.seconds = elapsed();
  return result;
}
