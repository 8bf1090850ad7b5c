/**
 * `pnpm bench:proxy [--soak[=SECONDS]]`: what the egress proxy costs, redaction on, beside a bare undici pass-through and
 * `@portkey-ai/gateway`, all in this run, each in its own process, requests taking turns.  `--soak` keeps 500 streams
 * running for ten minutes and looks at memory. Exit code 1 when a goal is missed.
 */
import { closeClient, send } from "./proxy/client.ts";
import { chatBody, conversation, nextTurn } from "./proxy/conversation.ts";
import { manyStreams } from "./proxy/streams.ts";
import { cpuMs, type Subject, startSubjects, stopSubjects } from "./proxy/subjects.ts";
import { atMost, type Check, printVerdict } from "./verdict.ts";

const soakFlag = process.argv.find((argument) => /^--soak(?:=\d+)?$/.test(argument));
const soak = soakFlag !== undefined;
const soakSeconds = Number(soakFlag?.split("=")[1] ?? 600);

interface Row {
  subject: string;
  "p50 ms": number;
  "p95 ms": number;
  "first byte p50 ms": number;
  "CPU ms": number;
}

const quantile = (values: number[], q: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
};
const round = (value: number): number => Math.round(value * 100) / 100;

/**
 * Sends the same requests through every subject in turns of ten, so that whatever else the machine does hits all
 * alike.
 * @param bodies one a request and subject; made before, so that making them costs nobody anything
 */
async function compare(
  title: string,
  subjects: readonly Subject[],
  bodies: (turn: number, subject: number) => Buffer,
  turns: number,
): Promise<Map<string, Row>> {
  const timings = subjects.map(() => ({ total: [] as number[], first: [] as number[], cpu: 0, failed: 0 }));
  for (let from = 0; from < turns; from += 10) {
    for (const [index, subject] of subjects.entries()) {
      const timing = timings[index];
      if (!timing || timing.failed > 0) continue;
      const made = Array.from({ length: Math.min(10, turns - from) }, (_, i) => bodies(from + i, index));
      const before = subject.pid === undefined ? 0 : cpuMs(subject.pid);
      for (const body of made) {
        const { status, totalMs, firstByteMs } = await send(subject, body);
        if (status !== 200) {
          // A peer may not be able to do this on this machine; then there is no figure of it.
          if (subject.name !== "@portkey-ai/gateway") throw new Error(`${subject.name} answered ${status}`);
          timing.failed = status;
          break;
        }
        timing.total.push(totalMs);
        timing.first.push(firstByteMs);
      }
      timing.cpu += subject.pid === undefined ? 0 : cpuMs(subject.pid) - before;
    }
  }
  const rows = new Map<string, Row>();
  for (const [index, { name }] of subjects.entries()) {
    const timing = timings[index];
    if (!timing) continue;
    if (timing.failed > 0) {
      console.log(`(${name} answers ${timing.failed} here: no figures)`);
      continue;
    }
    rows.set(name, {
      subject: name,
      "p50 ms": round(quantile(timing.total, 0.5)),
      "p95 ms": round(quantile(timing.total, 0.95)),
      "first byte p50 ms": round(quantile(timing.first, 0.5)),
      "CPU ms": round(timing.cpu / turns),
    });
  }
  console.log(`\n${title} (${turns} requests each)`);
  console.table([...rows.values()]);
  return rows;
}

const checks: Check[] = [];
const expectAtMost = (what: string, value: number | undefined, goal: number, unit: string): void => {
  checks.push(atMost(what, value ?? Number.NaN, goal, unit));
};

try {
  const subjects = await startSubjects();
  const own = subjects.find(({ name }) => name === "clawxrouter");
  if (!own) throw new Error("the proxy did not start");

  const small = (turn: number): Buffer =>
    chatBody([
      {
        role: "user",
        content: `Question ${turn}: why is the sky blue, and not green? Tell it to ${turn % 7} people.`,
      },
    ]);
  await compare("warm-up", subjects, small, 300);
  const smallRows = await compare("small request, 0.1 kB", subjects, small, 2000);
  const direct = smallRows.get("direct")?.["p50 ms"] ?? 0;
  expectAtMost("small request: added", (smallRows.get(own.name)?.["p50 ms"] ?? Number.NaN) - direct, 1, "ms");
  expectAtMost("small request: CPU", smallRows.get(own.name)?.["CPU ms"], 1, "ms");

  let seed = 1;
  // A gateway runs for weeks: what is compiled once in the life of a process is no cost of a conversation.
  await compare("200 kB conversation, warm-up", subjects, () => chatBody(conversation(200_000, seed++)), 100);
  const cold = await compare(
    "200 kB conversation, never seen",
    subjects,
    () => chatBody(conversation(200_000, seed++)),
    100,
  );
  expectAtMost("200 kB cold: CPU", cold.get(own.name)?.["CPU ms"], 12, "ms");

  const talks = subjects.map((_, index) => conversation(200_000, 1_000_000 + index));
  for (const [index, subject] of subjects.entries()) await send(subject, chatBody(talks[index] ?? []));
  const turn = (_: number, subject: number): Buffer => {
    const talk = nextTurn(talks[subject] ?? [], seed++);
    talks[subject] = talk;
    return chatBody(talk);
  };
  await compare("200 kB conversation, next turn, warm-up", subjects, turn, 100);
  const next = await compare("200 kB conversation, next turn", subjects, turn, 200);
  expectAtMost("200 kB next turn: CPU", next.get(own.name)?.["CPU ms"], 4, "ms");

  const streaming = (index: number): Buffer =>
    chatBody(
      [
        {
          role: "user",
          content: `Say ${index} words. My number is 139${String(10_000_000 + index)}, keep it. `.repeat(3),
        },
      ],
      { pieces: 20, gapMs: 0 },
    );
  await compare("stream, warm-up", subjects, (index) => streaming(1_000_000 + index), 1_200);
  const first = await compare("stream, time to first token", subjects, streaming, 600);
  expectAtMost(
    "time to first token: added",
    (first.get(own.name)?.["first byte p50 ms"] ?? Number.NaN) -
      (first.get("direct")?.["first byte p50 ms"] ?? 0),
    1,
    "ms",
  );

  const seconds = soak ? soakSeconds : 10;
  console.log(`\n500 concurrent streams for ${seconds} s, each with a value to restore`);
  const streams = await manyStreams(own, 500, seconds, soak ? 250 : 50);
  const settled = streams.memory.filter(({ second }) => second >= seconds / 5);
  const third = Math.max(1, Math.floor(settled.length / 3));
  const mean = (part: typeof settled): number => part.reduce((sum, { mib }) => sum + mib, 0) / part.length;
  const [early, late] = [mean(settled.slice(0, third)), mean(settled.slice(-third))];
  console.log(
    `  ${streams.streams} streams in ${streams.seconds.toFixed(0)} s, ${streams.errors} errors, ${streams.wrong} wrong, ` +
      `memory ${early.toFixed(0)} -> ${late.toFixed(0)} MiB (mean of the first and last third after warm-up)`,
  );
  expectAtMost("500 streams: errors", streams.errors, 0, "streams");
  expectAtMost("500 streams: values not restored exactly", streams.wrong, 0, "streams");
  if (soak) expectAtMost("500 streams, 10 minutes: memory growth", ((late - early) / early) * 100, 10, "%");
  printVerdict(checks);
} finally {
  closeClient();
  stopSubjects();
}
