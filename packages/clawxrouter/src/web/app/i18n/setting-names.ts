import { otherSettingWords } from "./settings-other.ts";
import { privacySettingWords } from "./settings-privacy.ts";
import { say } from "./words.ts";

/** Name and, where there is one, help of a setting; a setting without words shows its place in the file. */
export function settingName(pointer: string): { label: string; help: string | undefined } {
  const all: Readonly<Record<string, readonly string[]>> = {
    ...say(privacySettingWords),
    ...say(otherSettingWords),
  };
  const [label, help] = all[pointer] ?? [];
  return { label: label ?? pointer.split("/").at(-1) ?? pointer, help };
}

/** Whether there are words for a setting. */
export function hasSettingName(pointer: string): boolean {
  return Object.hasOwn(privacySettingWords.en, pointer) || Object.hasOwn(otherSettingWords.en, pointer);
}
