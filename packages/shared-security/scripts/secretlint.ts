import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";

/** What secretlint's recommended preset finds in a text: the benchmark's peer, a devDependency of this package only. */
export async function secretlint(text: string): Promise<{ start: number; end: number; label: string }[]> {
  const result = await lintSource({
    source: { content: text, filePath: "text.txt", ext: ".txt", contentType: "text" },
    options: { config: { rules: [{ id: "@secretlint/secretlint-rule-preset-recommend", rule: creator }] } },
  });
  return result.messages.map(({ range: [start, end], ruleId }) => ({ start, end, label: ruleId }));
}
