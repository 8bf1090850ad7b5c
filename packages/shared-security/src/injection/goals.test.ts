import { describe, expect, it } from "vitest";
import { readInjectionData } from "../../../../bench/security/injection-data.ts";
import { type InjectionProfile, looksLikePromptInjection } from "./index.ts";

/** The goals of the package, on the development halves of public data sets (`pnpm bench:security injection`). */
const data = readInjectionData();

function share(samples: readonly { text: string; profile: InjectionProfile }[]): number {
  return (
    samples.filter(({ text, profile }) => looksLikePromptInjection(text, profile)).length / samples.length
  );
}

describe("goals on public data", () => {
  if (!data) {
    it.skip("../shared/data/injection is not here: skipped", () => {});
    return;
  }
  it("CyberSecEval direct: at least 70 %", () => {
    expect(share(data.direct)).toBeGreaterThanOrEqual(0.7);
  });
  it("CyberSecEval indirect: at least 75 %", () => {
    expect(share(data.indirect)).toBeGreaterThanOrEqual(0.75);
  });
  it("CyberSecEval in sixteen other languages: at least 60 %", () => {
    expect(share(data.otherLanguages)).toBeGreaterThanOrEqual(0.6);
  });
  it("BIPIA attack mails minus clean mails: at least 50 points", () => {
    expect(share(data.attackMails) - share(data.cleanMails)).toBeGreaterThanOrEqual(0.5);
  });
  it("NotInject: at most 5 % flagged", () => {
    expect(share(data.notInject)).toBeLessThanOrEqual(0.05);
  });
  it("MT-bench: at most 1 % flagged", () => {
    expect(share(data.mtBench)).toBeLessThanOrEqual(0.01);
  });
  it("Chinese paragraphs: at most 1 % flagged, as data and as prompts", () => {
    expect(share(data.chineseParagraphs)).toBeLessThanOrEqual(0.01);
    const prompts = data.chineseParagraphs.map(({ text }) => ({ text, profile: "user-prompt" as const }));
    expect(share(prompts)).toBeLessThanOrEqual(0.01);
  });
});
