import { defineConfig } from "vitest/config";

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
          environment: "node",
          testTimeout: 120_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
