/** Process of kill.test.ts: fills a vault and edits clawxrouter.json until it is killed; tells what is on disk. */
import { writeSync } from "node:fs";
import { editConfigFile } from "../config-file/file.ts";
import { VaultStore } from "./store.ts";

const [, , vaultFile = "", configFile = "", round = "0"] = process.argv;
const store = new VaultStore(vaultFile, { maxValues: 1_000, retentionDays: 0 });
for (let i = 0; ; i++) {
  const value = `value-${round}-${i}-${"x".repeat(i % 700)}`;
  const token = store.vault.tokenise(value, "SECRET", i % 2 === 0 ? "S2" : "S3", `s${i % 3}`);
  editConfigFile(configFile, (raw) => {
    raw.privacy = { ...(raw.privacy as object | undefined), rules: { keywords: { S3: [value] } } };
  });
  // Straight to the pipe: what is said here has come to the parent, however the process ends.
  writeSync(1, `${JSON.stringify({ token, value, session: `s${i % 3}` })}\n`);
}
