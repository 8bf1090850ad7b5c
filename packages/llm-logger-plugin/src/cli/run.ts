/** Runs one command with the process's streams and turns errors into messages and exit codes. */
import { type Command, type CommandContext, UsageError } from "./spec.ts";

/** @returns 0 done, 1 the command says so, 2 wrong use. */
export async function runCommand(
  command: Command,
  given: Pick<CommandContext, "location" | "retention" | "args" | "options">,
): Promise<number> {
  const abort = new AbortController();
  const onInterrupt = () => abort.abort();
  process.once("SIGINT", onInterrupt);
  // A reader that closes the pipe (`| head`) is no error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") abort.abort();
  });
  const context: CommandContext = {
    ...given,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    tty: process.stderr.isTTY === true,
    signal: abort.signal,
  };
  try {
    return await command.run(context);
  } catch (error) {
    if (abort.signal.aborted) return 0;
    if (!(error instanceof UsageError)) throw error;
    context.err(`llm-logs ${command.name}: ${error.message}\n`);
    return 2;
  } finally {
    process.off("SIGINT", onInterrupt);
  }
}
