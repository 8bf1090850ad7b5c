/** Whether settings that are well formed can also be used: patterns compile, routers make sense. */
import { compileUserRules, RuleError } from "@clawx/shared-security";
import { locate } from "./locate.ts";
import { ConfigError, type ConfigFault } from "./parse.ts";
import { BUILTIN_ROUTERS, type RouterConfig } from "./schema.ts";

/**
 * @param text the document, to find lines in; empty when there is none
 * @throws ConfigError naming every fault with its path and, with a text, its line
 */
export function checkBuildable(config: RouterConfig, file: string, text = ""): void {
  const faults: ConfigFault[] = [];
  const add = (path: string, message: string) =>
    void faults.push({ path, line: text === "" ? undefined : locate(text, path), message });
  const { privacy } = config;
  checkLists(privacy.rules, "/privacy/rules", add);
  for (const [id, entry] of Object.entries(privacy.routers)) {
    const at = `/privacy/routers/${id}`;
    const builtin = Object.hasOwn(BUILTIN_ROUTERS, id);
    if (entry.type === "configurable") checkLists(entry, at, add);
    if (builtin) continue;
    if (entry.type === "builtin")
      add(`${at}/type`, `type "builtin" is for ${Object.keys(BUILTIN_ROUTERS).join(" and ")}`);
    if (entry.type === "custom" && entry.module === undefined) add(at, 'type "custom" needs a module');
  }
  if (faults.length > 0) throw new ConfigError(file, faults);
}

function compiles(keywords: readonly string[]): boolean {
  try {
    compileUserRules({ keywords: { S2: [...keywords] } });
    return true;
  } catch (error) {
    if (error instanceof RuleError) return false;
    throw error;
  }
}

const LEVELS = ["S2", "S3"] as const;
type Lists = Record<"keywords" | "patterns", Record<(typeof LEVELS)[number], readonly string[]>>;

/** Each entry by itself, so that every fault is named and not only the first. */
function checkLists(lists: Lists, at: string, add: (path: string, message: string) => void): void {
  for (const kind of ["keywords", "patterns"] as const) {
    for (const level of LEVELS) {
      // Many keywords are compiled far faster together; patterns are not.
      if (kind === "keywords" && compiles(lists[kind][level])) continue;
      lists[kind][level].forEach((entry, index) => {
        try {
          compileUserRules({ [kind]: { [level]: [entry] } });
        } catch (error) {
          if (!(error instanceof RuleError)) throw error;
          const reason = error.message
            .replace(/^\S+: /, "")
            .replace(/ at character (\d+) of [\s\S]*$/, " at character $1");
          add(`${at}/${kind}/${level}/${index}`, reason);
        }
      });
    }
  }
}
