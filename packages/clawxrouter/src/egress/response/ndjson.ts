/** Cuts newline-delimited JSON into lines, over any split of the input. Ollama streams so. */
export class LineSplitter {
  #rest = "";

  /** Feeds a piece and returns the complete lines, without their line ends; empty lines are left out. */
  push(text: string): string[] {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.map((line) => line.replace(/\r$/, "")).filter((line) => line !== "");
  }

  /** A last line without line end, if any. */
  end(): string | undefined {
    const rest = this.#rest;
    this.#rest = "";
    return rest === "" ? undefined : rest;
  }
}
