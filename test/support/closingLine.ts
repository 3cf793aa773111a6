import type { Reporter, TestModule } from "vitest/node";

/** Ends a run with one plain line, `N passed, N failed, N skipped`, for whoever reads the log by machine. */
export const closingLine: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      if (module.state() === "failed" && module.children.size === 0) counts.failed++;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed" || state === "failed" || state === "skipped") counts[state]++;
      }
    }
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  },
};
