/** The conversation in a request body, for people to read. */

/** Role and text of each message of a request, whatever the protocol. */
export function messagesOf(body: string): { role: string; text: string }[] {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return [{ role: "raw", text: body }];
  }
  const out: { role: string; text: string }[] = [];
  const system = get(json, "system") ?? get(json, "instructions") ?? get(json, "systemInstruction");
  if (system !== undefined) out.push({ role: "system", text: textOf(system) });
  for (const key of ["messages", "input", "contents"]) {
    const items = get(json, key);
    if (typeof items === "string") out.push({ role: "user", text: items });
    for (const item of Array.isArray(items) ? items : []) {
      if (typeof item === "string") out.push({ role: "input", text: item });
      else out.push({ role: String(get(item, "role") ?? get(item, "type") ?? "?"), text: textOf(item) });
    }
  }
  return out;
}

/** All text of a message: contents, tool calls and results. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(" ");
  if (typeof value !== "object" || value === null) return "";
  const parts: string[] = [];
  for (const [key, item] of Object.entries(value)) {
    if (["role", "type", "id", "tool_call_id", "call_id", "cache_control", "signature"].includes(key))
      continue;
    if (key === "name" || key === "arguments")
      parts.push(`${key}=${typeof item === "string" ? item : JSON.stringify(item)}`);
    else parts.push(textOf(item));
  }
  return parts.filter(Boolean).join(" ");
}

function get(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
