import { reasonInChinese } from "../../chinese/reasons.ts";
import { language } from "./language.ts";

/** Why a verdict came out as it did, in the language of the page; the gateway writes it in English. */
export function reasonText(reason: string): string {
  return language.value === "zh" ? reasonInChinese(reason) : reason;
}
