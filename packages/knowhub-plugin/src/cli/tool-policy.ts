/** One scope of the host's tool policy. @see OpenClaw docs/gateway/config-tools/tool-policy.md */
export interface ToolPolicy {
  profile?: string;
  allow?: string[];
  alsoAllow?: string[];
  deny?: string[];
}

export const TOOL_NAMES = ["kb_search", "kb_save", "kb_update"];

/** Profiles that select no plugin's tools. */
const CLOSED_PROFILES: ReadonlySet<string> = new Set(["minimal", "coding", "messaging"]);

/** What a policy must be changed to so that the agent has the knowledge tools. */
export interface PolicyGap {
  /** Which list of the scope, and what it must hold. */
  list: "allow" | "alsoAllow" | "deny";
  value: string[];
  /** The tools that are missing. */
  tools: string[];
}

/** What in one scope of the tool policy keeps the knowledge tools from the agent. */
export function policyGaps(policy: ToolPolicy | undefined): PolicyGap[] {
  const { profile, allow = [], alsoAllow = [], deny = [] } = policy ?? {};
  const gaps: PolicyGap[] = [];
  const denied = TOOL_NAMES.filter((tool) => covers(deny, tool));
  if (denied.length > 0)
    gaps.push({
      list: "deny",
      value: deny.filter((entry) => !TOOL_NAMES.some((t) => covers([entry], t))),
      tools: denied,
    });
  if (allow.length > 0) {
    const left = TOOL_NAMES.filter((tool) => !covers(allow, tool));
    if (left.length > 0) gaps.push({ list: "allow", value: [...allow, "knowhub"], tools: left });
  } else if (profile !== undefined && CLOSED_PROFILES.has(profile)) {
    const left = TOOL_NAMES.filter((tool) => !covers(alsoAllow, tool));
    if (left.length > 0) gaps.push({ list: "alsoAllow", value: [...alsoAllow, "knowhub"], tools: left });
  }
  return gaps;
}

/** Whether a list names a tool: itself, by a glob, its plugin, or all plugins' tools. */
function covers(list: readonly string[], tool: string): boolean {
  return list.some((entry) => {
    const name = entry.trim().toLowerCase();
    if (name === "knowhub" || name === "group:plugins") return true;
    const pattern = name
      .split("*")
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*");
    return new RegExp(`^${pattern}$`).test(tool);
  });
}
