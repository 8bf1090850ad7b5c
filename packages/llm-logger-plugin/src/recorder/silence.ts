/** Notices when calls complete and nothing of them is seen: a log that looks healthy and holds nothing. */

export class SilenceWatch {
  readonly #tell: (message: string) => void;
  /** Providers of which traffic was seen. */
  readonly #heard = new Set<string>();
  readonly #told = new Set<string>();

  /** @param tell told once a provider. */
  constructor(tell: (message: string) => void) {
    this.#tell = tell;
  }

  heard(provider: string): void {
    this.#heard.add(provider);
  }

  /** A call completed without traffic. @param missed calls without traffic so far. */
  missed(provider: string, missed: number): void {
    if (this.#heard.has(provider) || this.#told.has(provider) || this.#told.size > 50) return;
    const first = this.#told.size === 0;
    this.#told.add(provider);
    if (this.#heard.size > 0) {
      this.#tell(
        `calls of provider ${provider} complete and none was captured. They are missing in the log. ` +
          "Either it runs in a process of its own (a native harness), or a host upgrade moved its client. See `openclaw llm-logs status`.",
      );
    } else if (first) {
      this.#tell(
        `the host made ${missed} model call(s) and none was captured: the log is EMPTY although everything looks healthy. ` +
          "Probably a host upgrade moved its HTTP client. Run `openclaw llm-logs status`, then update this plugin or report it.",
      );
    }
  }
}
