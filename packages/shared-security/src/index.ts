export { detect, levelOf } from "./detect/detect.ts";
export type { Policy } from "./detect/policy.ts";
export * from "./injection/index.ts";
export { type MessageLike, type PrivacyMode, redactMessage, redactSensitiveInfo } from "./redact/message.ts";
export { type Redacted, redact, replaceFindings } from "./redact/redact.ts";
export { BUILT_IN_RULES } from "./rules/index.ts";
export type { Rule } from "./rules/rule.ts";
export { type Finding, type Level, maxLevel, type PrivateLevel } from "./types.ts";
export {
  type ByLevel,
  type CompiledUserRules,
  compileUserRules,
  type UserMatch,
  type UserRules,
} from "./user-rules/compile.ts";
export { RuleError } from "./user-rules/rule-error.ts";
