import { defineConfig } from "vitest/config";
import { closingLine } from "./test/support/closingLine.js";

if (!process.env.PARITY_DATA) {
  throw new Error("PARITY_DATA must name the folder with the reference data (datasets/, benchmarks/, ...).");
}

export default defineConfig({
  test: {
    include: ["test/parity/**/*.test.ts"],
    testTimeout: 120_000,
    passWithNoTests: false,
    pool: "forks",
    maxWorkers: 2,
    reporters: ["default", closingLine],
  },
});
