/** One hand-labelled keyword/answer pair. */
export interface Pair {
  kind:
    | "number"
    | "unit"
    | "negation"
    | "variant"
    | "symbol"
    | "boundary"
    | "wording"
    | "list"
    | "date"
    | "comparison"
    | "markdown";
  keyword: string;
  answer: string;
  states: boolean;
}

export const pair = (kind: Pair["kind"], keyword: string, answer: string, states: boolean): Pair => ({
  kind,
  keyword,
  answer,
  states,
});
