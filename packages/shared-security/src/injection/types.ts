/**
 * Whose text is being judged.
 * - `user-prompt`: what the person in front of the assistant typed. Instructions are normal there; only those that
 *   attack the assistant's own rules, roles or secrets count.
 * - `untrusted-data`: a mail, page, file, tool result or stored experience. Nobody in there may instruct the
 *   assistant, so an instruction addressed to it is itself the signal.
 */
export type InjectionProfile = "user-prompt" | "untrusted-data";

/** What kind of trick a reason stands for. */
export type InjectionFamily =
  | "instruction-override"
  | "role-spoofing"
  | "prompt-extraction"
  | "exfiltration"
  | "delimiter-encoding"
  | "assistant-imperative"
  | "persona-jailbreak"
  | "payload-splitting"
  | "virtualization";

/** One signal found: where it stands in the text as given (UTF-16, end exclusive) and what it adds to the score. */
export interface InjectionReason {
  family: InjectionFamily;
  /** Name of the rule (or `model`) that saw it. */
  rule: string;
  span: { start: number; end: number };
  /** Points added, before families are combined. */
  weight: number;
  /** At most 120 characters of the text as given. */
  excerpt: string;
}

export interface InjectionScore {
  /** 0 (nothing) to 1 (certain). */
  score: number;
  flagged: boolean;
  /** `flagged` is `score >= threshold`. */
  threshold: number;
  /** Strongest first, at most 20. */
  reasons: InjectionReason[];
}
