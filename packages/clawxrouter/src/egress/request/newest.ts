/** Longest text given, in UTF-16 units. */
const MOST = 2_000;
/** Deepest look into a message. */
const DEPTH = 6;

/** Who speaks for the model, in all protocols. */
const MODEL_ROLES = new Set(["assistant", "model"]);
const MODEL_ITEMS = new Set(["function_call", "reasoning"]);

/**
 * The texts of a request's newest messages: those after the model's last answer, for the record of what a cloud model
 * was told. Read from the redacted body.
 * @returns undefined when there are none
 */
export function newestText(messages: unknown): string | undefined {
  if (!Array.isArray(messages)) return undefined;
  const parts: string[] = [];
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message: unknown = messages[index];
    if (isModels(message)) break;
    const texts: string[] = [];
    collect(message, "", 0, texts, { left: MOST });
    const role = isRecord(message) && typeof message.role === "string" ? message.role : "";
    const text = texts.join("\n").trim();
    if (text !== "") parts.unshift(role === "" || role === "user" ? text : `${role}: ${text}`);
  }
  const text = parts.join("\n\n");
  return text === "" ? undefined : text.slice(0, MOST);
}

function isModels(message: unknown): boolean {
  if (!isRecord(message)) return false;
  return MODEL_ROLES.has(String(message.role)) || MODEL_ITEMS.has(String(message.type));
}

function collect(
  value: unknown,
  key: string,
  depth: number,
  texts: string[],
  budget: { left: number },
): void {
  if (budget.left <= 0 || depth > DEPTH) return;
  if (typeof value === "string") {
    if (!TEXT_KEYS.has(key)) return;
    const text = value.slice(0, budget.left);
    budget.left -= text.length;
    texts.push(text);
  } else if (Array.isArray(value)) {
    for (const item of value)
      collect(item, typeof item === "string" ? "text" : key, depth + 1, texts, budget);
  } else if (isRecord(value)) {
    for (const [name, item] of Object.entries(value)) collect(item, name, depth + 1, texts, budget);
  }
}

/** Properties that hold what is said, in all protocols. */
const TEXT_KEYS = new Set(["content", "text", "output", "parts", "input"]);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
