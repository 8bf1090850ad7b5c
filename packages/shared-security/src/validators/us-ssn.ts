/** Numbers that were printed in advertisements and revoked (SSA, "Misused SSNs"). */
const MISUSED = new Set(["078051120", "219099999", "457555462"]);

/**
 * Whether nine digits can be a US social security number or taxpayer number.
 *
 * SSN areas 000 and 666, group 00 and serial 0000 were never issued (SSA, "Social Security Number Randomization",
 * 2011). Areas 900-999 are no SSNs but individual taxpayer numbers (IRS, ITIN: group 50-65, 70-88, 90-92, 94-99).
 * @param digits nine ASCII digits.
 */
export function isUsSsn(digits: string): boolean {
  if (!/^\d{9}$/.test(digits) || MISUSED.has(digits)) return false;
  const area = Number(digits.slice(0, 3));
  const group = Number(digits.slice(3, 5));
  if (area === 0 || area === 666 || group === 0 || digits.endsWith("0000")) return false;
  if (area < 900) return true;
  return (group >= 50 && group <= 65) || (group >= 70 && group <= 99 && group !== 89 && group !== 93);
}
