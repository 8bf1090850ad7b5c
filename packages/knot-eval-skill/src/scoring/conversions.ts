import { numberToken, plainDigits, unitToken } from "./tokens.ts";

/**
 * Conversions that need no judgement: 90 分钟 is 1.5 小时 always. (30 天 and 一个月, 24 小时 and 一天 are not equal always
 * and belong to the equivalence map; GB and MB differ by 1000 or 1024.)
 */
const SCALES: readonly Readonly<Record<string, number>>[] = [
  { 小时: 3_600, 分钟: 60, 秒: 1, 毫秒: 0.001 },
  { "%": 10, "‰": 1 },
  { 千克: 1_000, 克: 1 },
  { 公里: 1_000, 米: 1, 厘米: 0.01, 毫米: 0.001 },
];

const QUANTITY = /\ue001([\ue010-\ue019.]+)\ue002\ue003([^\ue004]*)\ue004/g;

/** Numbers people write: at most two decimals, not tiny, not huge. */
function isUsual(value: number): boolean {
  return value >= 0.1 && value <= 100_000 && Math.abs(value * 100 - Math.round(value * 100)) < 1e-9;
}

/**
 * Other wordings of a keyword, its quantities in another unit of the same scale.
 *
 * @param canonical a keyword's canonical text
 */
export function convertedForms(canonical: string): { text: string; because: string }[] {
  const out: { text: string; because: string }[] = [];
  for (const match of canonical.matchAll(QUANTITY)) {
    const value = Number(plainDigits(match[1] ?? ""));
    const unit = match[2] ?? "";
    const scale = SCALES.find((s) => Object.hasOwn(s, unit));
    const size = scale?.[unit];
    if (!scale || size === undefined || !Number.isFinite(value)) continue;
    for (const [other, otherSize] of Object.entries(scale)) {
      const converted = Number(((value * size) / otherSize).toPrecision(12));
      if (other === unit || !isUsual(converted)) continue;
      out.push({
        text: `${canonical.slice(0, match.index)}${numberToken(String(converted))}${unitToken(other)}${canonical.slice(match.index + match[0].length)}`,
        because: `${value}${unit} = ${converted}${other}`,
      });
    }
  }
  return out;
}
