import { defineConfig } from "vitest/config";
import { closingLine } from "./test/support/closingLine.js";

/** Tests against what npm does not install: PostgreSQL, Redis and the real Fashion-MNIST. Without them they fail. */
export default defineConfig({
  test: {
    include: ["test/outside/**/*.test.ts", "test/service/outside/**/*.test.ts"],
    globalSetup: ["test/service/outside/servers.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    passWithNoTests: false,
    pool: "forks",
    maxWorkers: 2,
    reporters: ["default", closingLine],
  },
});
