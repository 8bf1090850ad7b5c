import * as z from "zod";
import { configError } from "../exit-codes.ts";
import { readText } from "../files/text.ts";

/**
 * Groups of phrases that mean the same: `{"groups": [["一个月", "30天"], ...]}`, or a mapping
 * `{"标准说法": ["另一种说法", ...]}` as in project files.
 */
const fileSchema = z.union([
  z.object({ groups: z.array(z.array(z.string().min(1)).min(2)) }).passthrough(),
  z.record(z.string(), z.union([z.array(z.string().min(1)), z.string().min(1)])),
]);

export type EquivalenceGroups = readonly (readonly string[])[];

/** Turns either file form into groups. @throws z.ZodError */
export function parseEquivalents(raw: unknown): EquivalenceGroups {
  const parsed = fileSchema.parse(raw);
  if (
    "groups" in parsed &&
    Array.isArray(parsed.groups) &&
    parsed.groups.every((group) => Array.isArray(group))
  ) {
    return parsed.groups as string[][];
  }
  return Object.entries(parsed)
    .filter(([key]) => !key.startsWith("_"))
    .map(([standard, others]) => [
      standard,
      ...(Array.isArray(others) ? (others as string[]) : [String(others)]),
    ]);
}

/** Reads one or more maps; a broken one is refused with its path. @throws StageError (exit 2) */
export async function loadEquivalents(files: readonly string[]): Promise<EquivalenceGroups> {
  const all: (readonly string[])[] = [];
  for (const file of files) {
    try {
      all.push(...parseEquivalents(JSON.parse(await readText(file))));
    } catch (error) {
      throw configError(
        `Equivalence map ${file} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  return all;
}
