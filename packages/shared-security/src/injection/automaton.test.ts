import { describe, expect, it } from "vitest";
import { ConceptAutomaton } from "./automaton.ts";
import { CONCEPTS, conceptIndex } from "./concepts.ts";
import { LEXICONS } from "./lexicon/index.ts";
import { foldEntry, normalise } from "./normalise.ts";
import { RULES } from "./rules/index.ts";

const automaton = new ConceptAutomaton(LEXICONS);

function found(text: string): string[] {
  const folded = normalise(text).text;
  const hits = automaton.scan(folded);
  return Array.from(
    { length: hits.count },
    (_, i) => `${CONCEPTS[hits.concept[i] as number]}:${folded.slice(hits.start[i], hits.end[i])}`,
  );
}

describe("lexicons", () => {
  it("every entry is found where it stands", () => {
    const missing: string[] = [];
    for (const lexicon of LEXICONS) {
      for (const [concept, words] of Object.entries(lexicon)) {
        for (const entry of words.split("|")) {
          const word = foldEntry(entry.replace(/\*$/, ""));
          const hits = automaton.scan(`( ${word} )`);
          const index = conceptIndex(concept);
          let seen = false;
          for (let i = 0; i < hits.count; i++) {
            if (
              hits.concept[i] === index &&
              hits.start[i] === 2 &&
              (hits.end[i] as number) >= 2 + word.length
            )
              seen = true;
          }
          if (!seen) missing.push(`${concept}: ${entry}`);
        }
      }
    }
    expect(missing).toEqual([]);
  });
  it("hold no concept twice in one entry list, nor blanks at the ends", () => {
    for (const lexicon of LEXICONS) {
      for (const words of Object.values(lexicon)) {
        for (const entry of words.split("|")) expect(entry).toBe(entry.trim());
      }
    }
  });
  it("a sign that no walk can pass is refused by name", () => {
    expect(() => new ConceptAutomaton([{ ignore: "what?" }])).toThrow('"what?"');
  });
  it("fit the masks: at most 62 concepts", () => {
    expect(CONCEPTS.length).toBeLessThanOrEqual(62);
  });
});

describe("rules", () => {
  it("name concepts that exist and are in some lexicon", () => {
    const known = new Set(LEXICONS.flatMap((lexicon) => Object.keys(lexicon)));
    for (const rule of RULES) {
      for (const spec of [rule.near, rule.around ?? "", rule.unless ?? ""]) {
        for (const concept of spec.split(/[+|]/).filter(Boolean)) expect(known).toContain(concept);
      }
    }
  });
  it("have ids of their own", () => {
    expect(new Set(RULES.map((rule) => rule.id)).size).toBe(RULES.length);
  });
});

describe("scan", () => {
  it("keeps to whole words where words are parted by spaces", () => {
    expect(found("ignoreland is a signore")).not.toContain("ignore:ignore");
    expect(found("(ignore)")).toContain("ignore:ignore");
  });
  it("takes any ending where the entry says so", () => {
    expect(found("Instruktionen")).toContain("instructions:instruktionen");
  });
  it("reads over line breaks, underscores and spaces put between CJK characters", () => {
    expect(found("do\n  not_follow")).toContain("ignore:do\n  not_follow");
    expect(found("忽 略")).toContain("ignore:忽 略");
  });
  it("reads leetspeak", () => {
    expect(found("1gn0r3 $ystem pr0mpt")).toEqual(
      expect.arrayContaining(["ignore:1gn0r3", "systemPrompt:$ystem pr0mpt"]),
    );
  });
});
