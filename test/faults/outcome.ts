import type { TestModule } from "vitest/node";
import { type Fault, testFile } from "./fault.js";

/** How the tests of a fault ended. */
export interface Outcome {
  /** Tests that passed. */
  readonly passed: number;
  /** Tests that failed, each with its message. */
  readonly failed: readonly string[];
  /** What kept tests from saying anything: a module that does not load, a name that is gone, a test without end. */
  readonly broken: readonly string[];
}

/** What a run says of the tests of one fault. */
export function outcomeOf(modules: readonly TestModule[], fault: Fault): Outcome {
  const module = modules.find(({ moduleId }) => moduleId === testFile(fault));
  if (module === undefined) return brokenBy(`test/${fault.test} was not run.`);
  const failed: string[] = [];
  const broken = [module, ...module.children.allSuites()].flatMap((one) =>
    one.errors().map(({ message }) => message),
  );
  let passed = 0;
  for (const test of module.children.allTests()) {
    if (!spaced(test.fullName).includes(spaced(fault.only))) continue;
    const { state, errors = [] } = test.result();
    if (state === "passed") passed++;
    for (const { name, message } of errors) {
      const meant = name !== "ReferenceError" && !/^(Test|Hook) timed out/.test(message);
      (meant ? failed : broken).push(`${test.fullName}: ${message.split("\n")[0]}`);
    }
  }
  if (passed + failed.length + broken.length === 0) {
    return brokenBy(`test/${fault.test} has no test whose name holds "${fault.only}".`);
  }
  return { passed, failed, broken };
}

export function brokenBy(reason: string): Outcome {
  return { passed: 0, failed: [], broken: [reason] };
}

/** Groups are parted by ` > ` in a full name, and by a space in the pattern that selects tests. */
function spaced(name: string): string {
  return name.replaceAll(" > ", " ");
}
