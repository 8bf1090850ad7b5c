/** All scenes of the leak suite: the paths of `openclaw clawxrouter selftest`, and what needs a hand on the gateway. */
import { PATHS } from "../../../packages/clawxrouter/src/selftest/paths.ts";
import type { Scene } from "../stage.ts";
import { BACKGROUND } from "./background.ts";
import { CONVERSATION } from "./conversation.ts";
import { ENTRIES } from "./entries.ts";
import { FAILURES } from "./failures.ts";
import { FILES } from "./files.ts";
import { HIDDEN } from "./hidden.ts";

export const SCENES: readonly Scene[] = [
  ...PATHS,
  ...ENTRIES,
  ...CONVERSATION,
  ...BACKGROUND,
  ...FILES,
  ...HIDDEN,
  ...FAILURES,
];
