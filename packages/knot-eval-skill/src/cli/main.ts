import { makeScrubber } from "../config/secrets.ts";
import { EXIT, type ExitCode, StageError } from "../exit-codes.ts";
import { describeFileFault } from "../files/faults.ts";
import { visibleText } from "../files/visible.ts";
import { closeIdleConnections } from "../net/http.ts";
import { type CliArgs, parseCli, USAGE } from "./args.ts";
import { compare, doctor, lint } from "./commands.ts";
import { guardedConsole } from "./console.ts";
import type { CliContext } from "./context.ts";
import { runStages } from "./run.ts";
import { VERSION } from "./version.ts";

const COMMANDS: Record<CliArgs["command"], (args: CliArgs, context: CliContext) => Promise<ExitCode>> = {
  run: runStages,
  doctor,
  lint,
  compare,
};

/**
 * The command line as a function: no global state, no process.exit.
 *
 * @returns the exit code (see exit-codes.ts)
 */
export async function main(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  let scrub = (text: string) => text;
  const console = guardedConsole(context.console, (text) => visibleText(scrub(text)));
  const guarded: CliContext = {
    ...context,
    console,
    protect: (secrets) => {
      scrub = makeScrubber(secrets);
    },
  };
  try {
    const args = parseCli(argv);
    if (args.help || args.version) {
      console.out(args.help ? USAGE : VERSION);
      return EXIT.ok;
    }
    return await COMMANDS[args.command](args, guarded);
  } catch (error) {
    const known = error instanceof StageError ? error : describeFileFault(error);
    if (known) {
      console.note(known.message);
      return known.exitCode;
    }
    if (context.signal?.aborted) {
      console.note("stopped; the answers so far are on disk, run the same command again to go on");
      return EXIT.infrastructure;
    }
    console.note(
      `unexpected error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return EXIT.infrastructure;
  } finally {
    closeIdleConnections();
  }
}
