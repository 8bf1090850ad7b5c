export { escapeForPrompt, stripInvisible } from "./escape.ts";
export {
  type DroppedExperience,
  type Experience,
  formatSafeExperiences,
  type SafeExperienceOptions,
} from "./experiences.ts";
export { type FrameOptions, frameUntrusted } from "./frame.ts";
export { INJECTION_THRESHOLD, looksLikePromptInjection, scoreInjection } from "./score.ts";
export type { InjectionFamily, InjectionProfile, InjectionReason, InjectionScore } from "./types.ts";
