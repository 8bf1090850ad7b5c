import { useEffect, useState } from "preact/hooks";
import type { Answer } from "../../contract.ts";
import { post } from "../api/client.ts";

export type PatternCheck = Answer<"rulesValidate">["patterns"][number];
export type Checks = ReadonlyMap<string, PatternCheck>;

/** Typing stops this long before the gateway is asked. */
const PAUSE_MS = 250;

/** What the gateway's regex engine says of patterns; a pattern without an entry is not judged yet. */
export function usePatternChecks(patterns: readonly string[], sample: string): Checks {
  const [checks, setChecks] = useState<Checks>(new Map());
  const asked = [...new Set(patterns)].slice(0, 200);
  const key = JSON.stringify([asked, sample]);
  useEffect(() => {
    if (asked.length === 0) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      post(
        "rulesValidate",
        { patterns: asked, keywords: [], ...(sample === "" ? {} : { sample }) },
        abort.signal,
      ).then(
        (answer) =>
          setChecks(
            new Map(
              asked.flatMap((pattern, at) => {
                const check = answer.patterns[at];
                return check === undefined ? [] : [[pattern, check] as const];
              }),
            ),
          ),
        // Without an answer a pattern stays "checking"; the save is checked again by the gateway.
        () => {},
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key]);
  return checks;
}

/** Whether one of the patterns is known to be refused by a save. */
export function anyRefused(patterns: readonly string[], checks: Checks): boolean {
  return patterns.some((pattern) => {
    const check = checks.get(pattern);
    return check !== undefined && (!check.ok || check.cost?.verdict === "refused");
  });
}
