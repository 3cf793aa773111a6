import { defineConfig } from "vitest/config";
import { closingLine } from "./test/support/closingLine.js";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/parity/**", "test/outside/**", "test/service/outside/**", "node_modules/**", "dist/**"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A second, the default, is short on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    pool: "forks",
    maxWorkers: 2,
    reporters: ["default", closingLine],
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      // The page is tested in a browser.
      exclude: ["src/compute/kernels/assembly/**", "src/page/**"],
    },
  },
});
