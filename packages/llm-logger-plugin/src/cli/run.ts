/** Runs one command with the process's streams and turns errors into messages and exit codes. */
import { once } from "node:events";
import { ConfigError } from "../config.ts";
import { visible } from "./format.ts";
import { type Command, type CommandContext, UsageError } from "./spec.ts";

/** Exit code of a program ended by Ctrl-C. */
const INTERRUPTED = 130;

/** @returns 0 done, 1 the command says so or the system refused, 2 wrong use, 130 Ctrl-C. */
export async function runCommand(
  command: Command,
  given: () => Pick<CommandContext, "location" | "retention" | "args" | "options">,
): Promise<number> {
  const abort = new AbortController();
  const onInterrupt = () => abort.abort("interrupt");
  process.once("SIGINT", onInterrupt);
  // A reader that closes the pipe (`| head`) is no error.
  const onOutputError = (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") abort.abort("pipe");
    else {
      process.exitCode = 1;
      process.stderr.write(
        `llm-logs ${command.name}: cannot write the output: ${error.message} / 无法写出结果\n`,
      );
      abort.abort("output");
    }
  };
  process.stdout.on("error", onOutputError);
  const { stdout, stderr } = process;
  const write = (text: string) => {
    if (!abort.signal.aborted) stdout.write(text);
  };
  const say = (text: string) => void stderr.write(`llm-logs ${command.name}: ${visible(text)}\n`);
  try {
    const context: CommandContext = {
      ...given(),
      out: (text) => write(visible(text)),
      raw: (text) => write(stdout.isTTY ? visible(text) : text),
      drained: async () => {
        if (stdout.writableNeedDrain && !abort.signal.aborted)
          await once(stdout, "drain", { signal: abort.signal });
      },
      err: (text) => void stderr.write(text),
      tty: stderr.isTTY === true,
      columns: stdout.isTTY === true ? Math.max(40, stdout.columns || 80) : undefined,
      signal: abort.signal,
    };
    return await command.run(context);
  } catch (error) {
    if (abort.signal.aborted)
      return abort.signal.reason === "interrupt" ? INTERRUPTED : Number(process.exitCode ?? 0);
    if (error instanceof UsageError || error instanceof ConfigError) {
      say(error.message);
      return 2;
    }
    // A folder that may not be read, a full disk: the system's words say it, a stack does not help.
    if (!(error instanceof Error) || typeof Reflect.get(error, "syscall") !== "string") throw error;
    say(error.message);
    return 1;
  } finally {
    process.off("SIGINT", onInterrupt);
  }
}
