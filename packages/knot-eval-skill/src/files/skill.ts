import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The installed skill's folder: the nearest one above this module that holds SKILL.md (dist/ or src/files/). */
function findSkillDir(): string {
  let dir = path.dirname(fileURLToPath(import.meta.url));
  for (let i = 0; i < 5; i++) {
    if (existsSync(path.join(dir, "SKILL.md"))) return dir;
    dir = path.dirname(dir);
  }
  throw new Error("SKILL.md not found above the program: the skill folder is incomplete, install it again");
}

/** Absolute path of a file shipped with the skill; independent of the working directory. */
export function skillFile(...parts: string[]): string {
  return path.join(findSkillDir(), ...parts);
}
