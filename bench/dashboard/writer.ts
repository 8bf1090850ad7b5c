/** Writes events as fast as a busy gateway would, telling each one, until it is killed. */
import { writeSync } from "node:fs";
import { Ledger } from "../../packages/clawxrouter/src/ledger/ledger.ts";
import { decisionAt, numbers } from "./fill.ts";

const [file = ""] = process.argv.slice(2);
const ledger = new Ledger(file, { price: () => 0 });
const random = numbers(1);
let n = 0;
setInterval(() => {
  for (let i = 0; i < 2; i += 1) ledger.decision(decisionAt(n++, Date.now(), random));
  writeSync(1, `${n} ${Date.now()}\n`);
}, 5);
