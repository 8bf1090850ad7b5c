/** Process exit codes; the same numbers in every stage so that CI scripts can tell them apart. */
export const EXIT = {
  /** Everything that was asked for was done and every gate held. */
  ok: 0,
  /** The run is sound but a quality gate (pass rate, drop against a baseline) was not reached. */
  gate: 1,
  /** The configuration, an input file or the command line is wrong; nothing was sent. */
  config: 2,
  /** The agent, the knowledge base or the model could not be reached: no statement about quality is possible. */
  infrastructure: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An error whose message is meant for the user and that decides the exit code. */
export class StageError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode, options?: ErrorOptions) {
    super(message, options);
    this.name = "StageError";
    this.exitCode = exitCode;
  }
}

/** Wrong configuration or input file: exit code 2. */
export function configError(message: string, options?: ErrorOptions): StageError {
  return new StageError(message, EXIT.config, options);
}

/** Unreachable or failing service: exit code 3. */
export function infrastructureError(message: string, options?: ErrorOptions): StageError {
  return new StageError(message, EXIT.infrastructure, options);
}
