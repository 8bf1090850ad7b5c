/** Entry of the worker thread. Reads the ledger, keeps the search index, checks rules. */
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { INDEX_SUFFIX, SearchIndex } from "../ledger/search-index.ts";
import { type Answered, type Asked, JOBS, type WorkerContext } from "./jobs.ts";

const { ledgerFile } = workerData as { ledgerFile: string };
const db = new DatabaseSync(ledgerFile, { readOnly: true, timeout: 2_000 });
db.exec("PRAGMA cache_size = -16000; PRAGMA query_only = ON;");
let index: SearchIndex | undefined;
const context: WorkerContext = {
  db,
  index() {
    index ??= new SearchIndex(db, ledgerFile + INDEX_SUFFIX);
    return index;
  },
};

/**
 * Moves the write-ahead log into the ledger's file, so that the gateway's own thread never does it and waits for the
 * disk. `PASSIVE` waits for nobody and holds nobody up.
 */
const checkpoints = new DatabaseSync(ledgerFile, { timeout: 0 });
function checkpoint(): void {
  try {
    checkpoints.exec("PRAGMA wal_checkpoint(PASSIVE)");
  } catch {
    // Somebody else does it.
  }
}

/** How long the index is fed at once, and the pause then, in milliseconds: questions are answered in between. */
const FEED_MS = 40;
const IDLE_MS = 2_000;
const CHECKPOINT_MS = 500;

function feed(): void {
  let done = true;
  try {
    done = context.index().sync(FEED_MS);
  } catch {
    // The next question that needs the index says what is wrong with it.
  }
  setTimeout(feed, done ? IDLE_MS : 5).unref();
}

parentPort?.on("message", ({ id, job, input }: Asked) => {
  let answer: Answered;
  try {
    const run = JOBS[job] as (context: WorkerContext, input: unknown) => unknown;
    answer = { id, value: run(context, input) };
  } catch (error) {
    answer = { id, error: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(answer);
});
setInterval(checkpoint, CHECKPOINT_MS).unref();
feed();
