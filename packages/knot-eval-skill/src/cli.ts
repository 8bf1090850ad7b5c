import { processConsole } from "./cli/console.ts";
import { main } from "./cli/main.ts";

const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
process.once("SIGTERM", () => stop.abort());

process.exitCode = await main(process.argv.slice(2), {
  console: processConsole(),
  env: process.env,
  signal: stop.signal,
});
