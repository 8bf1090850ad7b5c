/**
 * Words of a text as the search index holds them: Latin words in lower case; Chinese, Japanese and Korean as pairs of
 * characters, for there are no spaces to cut at.
 */
import { createHash } from "node:crypto";

const RUN = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af]+|[\p{L}\p{N}]+/gu;
const CJK = /^[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af]/;
/** Longer words are cut: nobody types them, and they may be keys. */
const LONGEST = 40;

function runsOf(text: string): string[] {
  // `\p{L}` takes in CJK: a Latin run ends where one begins.
  return [...text.normalize("NFKC").toLowerCase().matchAll(RUN)].flatMap(([run]) =>
    CJK.test(run)
      ? [run]
      : (run.match(
          /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af]+|[^\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af]+/g,
        ) ?? []),
  );
}

function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/** Tokens of a document. */
export function tokensOf(text: string): string[] {
  return runsOf(text).flatMap((run) => {
    if (!CJK.test(run)) return [run.slice(0, LONGEST)];
    const all = pairs(run);
    // The last character by itself, so that a search for one character finds it at the end, too.
    if (all.length > 0 && run.length > 1) all.push([...run].at(-1) ?? "");
    return all;
  });
}

/** A query in FTS5's language: every word must occur, the last one may be a beginning; undefined when it has no word. */
export function matchOf(text: string): string | undefined {
  const runs = runsOf(text).slice(0, 20);
  if (runs.length === 0) return undefined;
  return runs
    .map((run, i) => {
      if (!CJK.test(run)) return `"${run.slice(0, LONGEST)}"${i === runs.length - 1 ? "*" : ""}`;
      const all = pairs(run);
      return all.length === 1 && [...run].length === 1 ? `"${all[0]}"*` : `"${all.join(" ")}"`;
    })
    .join(" AND ");
}

/** A token that stands for a property of a document; no word of a text begins with an underscore, nor does a query. */
export function propertyToken(kind: string, value: string): string {
  return `_${kind}_${createHash("sha256").update(value).digest("hex").slice(0, 16)}`;
}
