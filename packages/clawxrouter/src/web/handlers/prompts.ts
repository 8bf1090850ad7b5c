/** Prompts of the local model: names are a fixed list, so no name is ever a path. */
import { VersionConflict, versionOf } from "../../api/config.ts";
import { diffLines } from "../../api/diff-lines.ts";
import { MAX_PROMPT_CHARS, PROMPT_NAMES, type PromptInfo } from "../../prompts.ts";
import type { Handlers } from "../context.ts";
import type { Prompt } from "../contract.ts";
import { ApiError } from "../http/errors.ts";
import { attempt } from "./config.ts";

export const promptHandlers: Handlers<"prompts" | "writePrompt"> = {
  prompts: ({ dashboard }) => ({ prompts: dashboard.api.prompts().map(promptOf) }),

  writePrompt({ dashboard, body, audit }) {
    const { api } = dashboard;
    const name = PROMPT_NAMES.find((known) => known === body.name);
    if (name === undefined)
      throw new ApiError("invalid", `there is no such prompt; there are: ${PROMPT_NAMES.join(", ")}`, {
        path: "/name",
      });
    const version = versionOf(dashboard.engine.prompts.read(name).text);
    return attempt(() => {
      if (version !== body.version) throw new VersionConflict(version, `prompt ${name}`);
      if (body.action === "save" && (body.text.trim() === "" || body.text.length > MAX_PROMPT_CHARS))
        throw new ApiError("invalid", `a prompt has 1 to ${MAX_PROMPT_CHARS} characters`, { path: "/text" });
      const saved = body.action === "save" ? api.savePrompt(name, body.text) : api.resetPrompt(name);
      audit("prompt", `${body.action} ${name}`);
      return promptOf(saved);
    });
  },
};

function promptOf({ name, text, original, edited }: PromptInfo): Prompt {
  return {
    name,
    text,
    original,
    edited,
    version: versionOf(text),
    diff: edited ? diffLines(original, text) : [],
    maxChars: MAX_PROMPT_CHARS,
  };
}
