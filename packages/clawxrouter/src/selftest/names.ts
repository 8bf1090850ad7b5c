/** How a self-test's conversations, upstreams, values and files are told from the user's own. */

/** Prefix of the upstream ids that exist only while a self-test runs, and of its session names and files. */
export const SELFTEST_PREFIX = "clawxrouter-selftest-";

/** Scope in the vault of a self-test's requests that belong to no conversation. */
export const SELFTEST_SCOPE = "selftest:";

/** As {@link isSelfTestSession} finds them in SQLite (`GLOB`), one pattern for each kind. */
export const SELFTEST_GLOBS = [
  SELFTEST_SCOPE,
  `agent:*:${SELFTEST_PREFIX}[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]-*`,
] as const;

const SESSION = new RegExp(`^agent:.*:${SELFTEST_PREFIX}[0-9a-f]{6}-`);

/** Name of a conversation of the self-test below `agent:<id>:`. @param run six hex digits */
export function selfTestSession(run: string, name: string): string {
  return `${SELFTEST_PREFIX}${run}-${name.replaceAll(".", "")}`;
}

/** Whether a session key, or a scope of the vault, is a self-test's. */
export function isSelfTestSession(session: string | undefined): boolean {
  return session !== undefined && (session === SELFTEST_SCOPE || SESSION.test(session));
}
