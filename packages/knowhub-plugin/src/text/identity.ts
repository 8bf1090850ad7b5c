import { normalise } from "./normalise.ts";

/** Superscripts, subscripts, fractions, circled numbers: compatibility folding would make 10³ into 103. */
const RAISED = /[\p{No}\u2071\u207f\u2090-\u209c]/gu;

/**
 * The form in which two texts are asked whether they are the same: width and invisible characters do not matter; case, line
 * breaks, indentation and raised or lowered characters do, as each of them can change what is meant (`-d` and `-D`,
 * `MB` and `Mb`, Python's blocks, 10³ and 103). Runs of spaces inside a line, blank lines and a common indentation do not.
 */
export function identityForm(text: string): string {
  const lines = normalise(text.replace(RAISED, "^$&"))
    .split(/\r\n?|\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== "");
  const indents = lines.map((line) => line.length - line.trimStart().length);
  const common = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return lines
    .map((line, i) => {
      const indent = indents[i] ?? 0;
      return line.slice(common, indent) + line.slice(indent).replace(/\s+/g, " ");
    })
    .join("\n");
}

/** Words that change nothing about what is said. What might ("just admins", "plan a", 重启了) is not among them. */
const FILLER_EN = /\b(?:[Tt]he|[Pp]lease)\s+(?=[a-z])/g;
const FILLER_ZH =
  /(?<=^|[\s,.;:!?。、，])请(?![求假教示客帖柬])|(?<=\p{Script=Han})(?<![目有为别标打是真好怕说吃])的(?=\p{Script=Han})(?![确士话])|一下(?!子)/gu;
const QUOTES = /["“”„‘’「」『』]|(?<!\p{L})'|'(?!\p{L})/gu;
/**
 * Punctuation that ends a clause. A mark by itself (`git add .`), an exclamation after a number (5!) and a question mark (asking is
 * not stating) are none.
 */
const CLAUSE_END =
  /[。、]|(?<=[\p{L}\p{N}\])"])[.,;:]+(?=\s|$)|(?<=\p{Script=Han})[.,;:!]+|(?<=\p{L}{3})!+(?=\s|$)|[,;:]+(?=\p{Script=Han})/gu;

/**
 * What a text says without filler words and the kind of its punctuation: texts with the same core say the same. Where a clause ends
 * stays, as it matters: 不，要启用 is not 不要启用.
 *
 * @param identity the text in its {@link identityForm}
 */
export function coreOf(identity: string): string {
  return identity
    .replace(FILLER_EN, "")
    .replace(FILLER_ZH, "")
    .replace(QUOTES, '"')
    .replace(CLAUSE_END, ",")
    .split("\n")
    .map((line) => {
      const body = line
        .trimStart()
        .replace(/ *(?:, *)+/g, ",")
        .replace(/(?<=\p{Script=Han}) +| +(?=\p{Script=Han})/gu, "")
        .replace(/,+$/, "");
      return line.slice(0, line.length - line.trimStart().length) + body;
    })
    .filter((line) => line.trim() !== "")
    .join("\n");
}

/** Equal but for the capital that begins a sentence. */
export function sameBesidesCapitals(a: string, b: string): boolean {
  if (a === b) return true;
  if (a.length !== b.length || a.toLowerCase() !== b.toLowerCase()) return false;
  for (let i = 0; i < a.length; i += 1) {
    if (a[i] === b[i]) continue;
    const begins = i === 0 || /[\n,]/.test(a[i - 1] ?? "");
    // A word of three small letters at least: "Go" and "Mb" are names and units.
    if (!begins || !/^\p{Ll}{2}/u.test(a.slice(i + 1, i + 3)) || !/^\p{Ll}{2}/u.test(b.slice(i + 1, i + 3)))
      return false;
  }
  return true;
}
