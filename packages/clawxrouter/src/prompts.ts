/**
 * The prompts of the local model. Each is a Markdown file shipped with the plugin; the user's own version stands
 * in `<stateDir>/clawxrouter/prompts/` and wins. Names are a fixed list, so no name is ever a path.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { writePrivateFile } from "./config-file/file.ts";

export const PROMPT_NAMES = ["detection-system", "guard-agent-system", "token-saver-judge"] as const;
export type PromptName = (typeof PROMPT_NAMES)[number];

/** Longest prompt accepted, in characters. */
export const MAX_PROMPT_CHARS = 20_000;

export interface PromptInfo {
  name: PromptName;
  text: string;
  /** The shipped text. */
  original: string;
  edited: boolean;
}

export class Prompts {
  private readonly own: string;
  /** @param dataDir `<stateDir>/clawxrouter` */
  constructor(dataDir: string) {
    this.own = path.join(dataDir, "prompts");
  }

  /** @throws for a name that is none of {@link PROMPT_NAMES} */
  read(name: string): PromptInfo {
    const known = promptName(name);
    const original = readFileSync(shipped(known), "utf8");
    const own = this.file(known);
    const text = existsSync(own) ? readFileSync(own, "utf8") : original;
    return { name: known, text, original, edited: text !== original };
  }

  all(): PromptInfo[] {
    return PROMPT_NAMES.map((name) => this.read(name));
  }

  /** @throws for an unknown name, an empty or an overlong text */
  save(name: string, text: string): PromptInfo {
    const known = promptName(name);
    if (text.trim() === "")
      throw new Error(`prompt ${known}: must not be empty; reset it to go back to the shipped text`);
    if (text.length > MAX_PROMPT_CHARS)
      throw new Error(`prompt ${known}: at most ${MAX_PROMPT_CHARS} characters, these are ${text.length}`);
    writePrivateFile(this.file(known), text);
    return this.read(known);
  }

  reset(name: string): PromptInfo {
    const known = promptName(name);
    rmSync(this.file(known), { force: true });
    return this.read(known);
  }

  /** Path of the user's version, whether or not it exists. */
  file(name: PromptName): string {
    return path.join(this.own, `${name}.md`);
  }
}

function promptName(name: string): PromptName {
  const known = PROMPT_NAMES.find((candidate) => candidate === name);
  if (known === undefined)
    throw new Error(`there is no prompt of this name; there are: ${PROMPT_NAMES.join(", ")}`);
  return known;
}

/** Bundled, this module is `dist/index.js`; in the repository it is `src/prompts.ts`. */
function shipped(name: PromptName): string {
  return fileURLToPath(new URL(`../prompts/${name}.md`, import.meta.url));
}
