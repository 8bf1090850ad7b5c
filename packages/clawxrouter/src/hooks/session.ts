/** Which conversation a hook speaks of: the host's session key, else the agent's default one. */
export function sessionOf(context: { sessionKey?: string; agentId?: string }): string {
  return context.sessionKey ?? `agent:${context.agentId ?? "main"}:main`;
}
