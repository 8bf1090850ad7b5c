import { createHmac, randomBytes } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";

/**
 * A name for a session that tells another machine nothing: the host's keys hold telephone numbers and account names of whoever
 * talks to the agent (`agent:main:whatsapp:direct:+49…`). The same session always has the same one, so that a server can still count
 * one vote a session; without this installation's key it leads back to nobody.
 */
export function pseudonymOf(session: string, db: DatabaseSync): string {
  const digest = createHmac("sha256", installationKey(db)).update(session).digest("hex");
  return `session-${digest.slice(0, 24)}`;
}

function installationKey(db: DatabaseSync): string {
  // The first of two processes wins, both read what is there then.
  db.prepare("INSERT OR IGNORE INTO installation (name, value) VALUES ('key', ?)").run(
    randomBytes(32).toString("base64url"),
  );
  const row = db.prepare("SELECT value FROM installation WHERE name = 'key'").get() as { value: string };
  return row.value;
}
