import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listTarball, PLUGIN_FOLDERS, packPlugin } from "../scripts/pack.ts";
import { type Gateway, PLUGIN_IDS, prepareGateway } from "./harness/index.ts";

const MAX_BYTES = 2 * 1024 * 1024;

let packs: string;
beforeAll(async () => {
  packs = await mkdtemp(path.join(os.tmpdir(), "clawx-packs-"));
});
afterAll(async () => {
  await rm(packs, { recursive: true, force: true });
});

/** What a user gets: small tarballs that install alone, fault-free in the host's eyes, and go without a trace. */
describe.each(PLUGIN_FOLDERS)("%s", (folder) => {
  const id = PLUGIN_IDS[folder];

  it("packs to less than 2 MB with no test and no source of another package", async () => {
    const tarball = await packPlugin(folder, { out: packs });
    const names = await listTarball(tarball);
    expect((await stat(tarball)).size).toBeLessThan(MAX_BYTES);
    expect(names).toContain("package/openclaw.plugin.json");
    expect(names).toContain("package/dist/index.js");
    for (const name of names) expect(name).not.toMatch(/\.test\.|\/src\/|\.ts$|node_modules|testing/);
    expect(names).toContain("package/dist/THIRD_PARTY_NOTICES.txt");
  });

  describe("installed alone into a fresh home", () => {
    let gateway: Gateway;
    beforeAll(async () => {
      // No registry answers at this address: what installs here installs offline.
      gateway = await prepareGateway({
        plugins: { [folder]: {} },
        grant: false,
        env: { NPM_CONFIG_REGISTRY: "http://127.0.0.1:9/", NPM_CONFIG_FETCH_RETRIES: "0" },
      });
    });
    afterAll(async () => {
      await gateway?.close();
    });

    const inspect = async () => {
      const { stdout } = await gateway.cli(["plugins", "inspect", id, "--runtime", "--json"], {
        check: true,
      });
      return JSON.parse(stdout.slice(stdout.indexOf("{"))) as {
        diagnostics?: unknown[];
        plugin?: { status?: string };
      };
    };

    it("loads; without the grant the message names the key to set", async () => {
      const report = await inspect();
      expect(report.plugin?.status).toBe("loaded");
      const { stdout, stderr } = await gateway.cli(["plugins", "inspect", id, "--runtime"]);
      expect(`${JSON.stringify(report)}${stdout}${stderr}`).toContain(
        `plugins.entries.${id}.hooks.allowConversationAccess`,
      );
    });

    it("shows no diagnostics once access is granted; doctor and audit name no fault of it", async () => {
      await gateway.cli(["config", "set", `plugins.entries.${id}.hooks.allowConversationAccess`, "true"], {
        check: true,
      });
      expect((await inspect()).diagnostics ?? []).toEqual([]);
      const doctor = await gateway.cli(["plugins", "doctor"]);
      for (const line of `${doctor.stdout}\n${doctor.stderr}`.split("\n")) {
        if (line.includes(id)) expect(line).not.toMatch(/error|fail|invalid/i);
      }
      const audit = await gateway.cli(["security", "audit", "--deep", "--json"]);
      const findings = JSON.parse(audit.stdout.slice(audit.stdout.indexOf("{"))) as {
        findings: { checkId: string; severity: string; title: string; detail?: string }[];
      };
      const ours = findings.findings.filter((f) => JSON.stringify(f).includes(id) && f.severity !== "info");
      expect(ours).toEqual([]);
    });

    it("uninstalls without a trace but the user's data", async () => {
      await gateway.cli(["plugins", "uninstall", id, "--force"], { check: true });
      const config = JSON.parse(readFileSync(path.join(gateway.stateDir, "openclaw.json"), "utf8")) as {
        plugins: { entries: Record<string, object> };
      };
      // 2026.9.6 itself leaves this note behind for every uninstalled plugin.
      expect(config.plugins.entries[id] ?? { enabled: false }).toEqual({ enabled: false });
      const { stdout } = await gateway.cli(["plugins", "list", "--json"], { check: true });
      expect(stdout).not.toContain(`"id": "${id}"`);
      expect(existsSync(path.join(gateway.stateDir, "extensions", id))).toBe(false);
    });
  });
});
