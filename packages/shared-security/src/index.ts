export { detect, levelOf } from "./detect/detect.ts";
export type { Policy } from "./detect/policy.ts";
export * from "./injection/index.ts";
export { announceEgress, type EgressUpstream, egressUpstreamAt, isEgressOrigin } from "./interop/egress.ts";
export { makeFolder } from "./interop/make-folder.ts";
export { isJson, isJsonContainer, jsonEscape } from "./json/text.ts";
export {
  escapePlaceholders,
  findPlaceholders,
  formatPlaceholder,
  MAX_PLACEHOLDER_LENGTH,
  PLACEHOLDER_WORD,
  type PlaceholderMatch,
  placeholderType,
} from "./placeholder/placeholder.ts";
export type { MatchRestorer, RestoreOptions } from "./placeholder/scope.ts";
export { type MessageLike, type PrivacyMode, redactMessage, redactSensitiveInfo } from "./redact/message.ts";
export { type Redacted, redact, replaceFindings } from "./redact/redact.ts";
export { BUILT_IN_RULES } from "./rules/index.ts";
export type { Rule } from "./rules/rule.ts";
export { type RedactStreamOptions, redactStream } from "./stream/redact.ts";
export { redactJsonStream } from "./stream/redact-json.ts";
export { type RestoreStreamOptions, restoreStream, type TextStream } from "./stream/restore.ts";
export { type Finding, type Level, maxLevel, type PrivateLevel } from "./types.ts";
export {
  type ByLevel,
  type CompiledUserRules,
  compileUserRules,
  type ToolRules,
  type UserMatch,
  type UserRules,
} from "./user-rules/compile.ts";
export { RuleError } from "./user-rules/rule-error.ts";
export { KNOWN_RULE, KnownIndex, type KnownValue } from "./vault/known.ts";
export { type Sealed, seal, unseal, VaultError } from "./vault/seal.ts";
export type { VaultSnapshot } from "./vault/snapshot.ts";
export { disjointSpans } from "./vault/spans.ts";
export type { ReplaceOptions, TokenUse, VaultChange, VaultEntry, VaultOptions } from "./vault/types.ts";
export { Vault } from "./vault/vault.ts";
export { type MediaKind as PayloadMediaKind, sniffBeginning } from "./walk/media.ts";
export {
  openPayload,
  type Payload,
  PayloadError,
  type Rewritten,
  type Walked,
  walkPayload,
  walkPayloadAsync,
} from "./walk/payload.ts";
export { protocolOfPath } from "./walk/protocols/index.ts";
export type { Excluded, Leaf, LeafRole, Path, Unscanned, WireProtocol } from "./walk/types.ts";
export { VerdictCache } from "./walk/verdict-cache.ts";
export { detectPayload, detectPayloadAsync, type LeafFindings, type View, viewsOf } from "./walk/views.ts";
