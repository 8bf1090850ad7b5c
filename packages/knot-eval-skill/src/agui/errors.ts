/** Error reports of platforms, which come in many forms. */

/** What an error body says, e.g. `{"msg":"no permission","code":190004}`. */
export function describeErrorBody(body: string): string {
  const trimmed = body.trim();
  try {
    const parsed: unknown = JSON.parse(trimmed);
    if (typeof parsed === "object" && parsed !== null) {
      const holder = parsed as Record<string, unknown>;
      const nested =
        typeof holder.error === "object" && holder.error !== null
          ? (holder.error as Record<string, unknown>)
          : {};
      const message = [
        holder.msg,
        holder.message,
        nested.message,
        holder.error,
        holder.detail,
        holder.errmsg,
        holder.error_message,
        holder.errorMessage,
      ].find((v) => typeof v === "string" && v !== "");
      const code = [
        holder.code,
        nested.code,
        holder.ret,
        holder.errcode,
        holder.error_code,
        holder.status,
      ].find((v) => typeof v === "number" || typeof v === "string");
      if (message !== undefined)
        return `${shortened(String(message))}${code === undefined ? "" : ` (code ${String(code)})`}`;
    }
  } catch {
    // Not JSON: shown as it is, shortened.
  }
  return shortened(trimmed);
}

/** Foreign text as one short line. */
export function shortened(text: string): string {
  const oneLine = text.replace(/\s+/g, " ").trim();
  return oneLine.length > 300 ? `${oneLine.slice(0, 300)}…` : oneLine;
}

/** Codes by which platforms say that nothing went wrong. */
const GOOD_CODES = new Set(["", "0", "200", "ok", "success"]);

/** Whether a reply without an event type is an error report: a code that is none of success, `success: false`, `error`. */
export function saysFailure(holder: Record<string, unknown>): boolean {
  const codes = [
    holder.code,
    holder.ret,
    holder.retcode,
    holder.errcode,
    holder.error_code,
    holder.errorCode,
  ];
  return (
    codes.some(
      (code) =>
        (typeof code === "number" || typeof code === "string") &&
        !GOOD_CODES.has(String(code).trim().toLowerCase()),
    ) ||
    holder.success === false ||
    (holder.error !== undefined && holder.error !== null && holder.error !== false && holder.error !== "")
  );
}
