import { createVitest, type TestModule } from "vitest/node";
import { type Fault, faultyFile, ROOT, testFile, withFault } from "./fault.js";

/** Runs tests on a source with a fault in it. */
export interface FaultyVitest {
  /**
   * Runs the tests of some faults.
   * @param fault the one that is in the source; absent: none
   */
  run(tests: readonly Fault[], fault?: Fault): Promise<readonly TestModule[]>;
  close(): Promise<void>;
}

/** The fault is put into its file as the file is loaded; the file itself stays as it is. */
export async function createFaultyVitest(): Promise<FaultyVitest> {
  let present: Fault | undefined;
  const plugin = {
    name: "fault",
    enforce: "pre" as const,
    transform: (code: string, id: string) =>
      present && id.split("?")[0] === faultyFile(present) ? withFault(code, present) : undefined,
  };
  // The project's own configuration beside this; the reporter says nothing.
  const options = { root: ROOT, watch: false, cache: false as const, reporters: [{}], maxWorkers: 1 };
  const vitest = await createVitest("test", options, { plugins: [plugin] });

  return {
    async run(tests, fault) {
      for (const changed of [present, fault]) if (changed) vitest.invalidateFile(faultyFile(changed));
      present = fault;
      vitest.setGlobalTestNamePattern(new RegExp(tests.map(({ only }) => escaped(only)).join("|")));
      const files = [...new Set(tests.map(testFile))];
      const project = vitest.getRootProject();
      const result = await vitest.runTestSpecifications(
        files.map((file) => project.createSpecification(file)),
      );
      return result.testModules;
    },
    close: () => vitest.close(),
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
