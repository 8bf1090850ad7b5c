import { defineConfig } from "vitest/config";

/** Minutes each: they run by their own commands (`pnpm e2e:leak`, `e2e:dashboard`, `e2e:logger`, `e2e:legacy`, `e2e:knowhub`). */
const LONG = [
  "e2e/clawxrouter-leak.test.ts",
  "e2e/clawxrouter-leak-off.test.ts",
  "e2e/clawxrouter-cli.test.ts",
  "e2e/clawxrouter-engine.test.ts",
  "e2e/clawxrouter-kill.test.ts",
  "e2e/clawxrouter-selftest.test.ts",
  "e2e/dashboard-attack.test.ts",
  "e2e/dashboard.test.ts",
  "e2e/dashboard-numbers.test.ts",
  "e2e/knowhub-remote.test.ts",
  "e2e/knowhub-session.test.ts",
  "e2e/legacy.test.ts",
  "e2e/logger.test.ts",
  "e2e/logger-kill.test.ts",
  "e2e/logger-ws.test.ts",
];

/**
 * `unit` runs in seconds and boots nothing; `e2e` boots real OpenClaw gateways (~20 s each on two cores),
 * so its files run one after the other and each boots one gateway.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          setupFiles: ["./scripts/vitest-setup.ts"],
          include: [
            "packages/*/src/**/*.test.ts",
            "packages/*/scripts/**/*.test.ts",
            "e2e/harness/**/*.test.ts",
          ],
          environment: "node",
        },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/*.test.ts"],
          exclude: LONG,
          environment: "node",
          testTimeout: 120_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "e2e-long",
          include: ["e2e/*.test.ts"],
          // Part of the whole suite that runs here.
          exclude: ["e2e/clawxrouter-leak-quick.test.ts"],
          environment: "node",
          testTimeout: 300_000,
          // A page follows the gateway, which may have other work.
          expect: { poll: { timeout: 20_000 } },
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
