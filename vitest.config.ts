import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    // Real databases and real processes: two files at a time keep a small machine responsive.
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: process.env.CI === undefined ? ["default"] : ["default", "json"],
    outputFile: { json: "test-results/vitest.json" },
  },
});
