import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A mistake in one line of the source, and the test that notices it. */
export interface Fault {
  /** What goes wrong, in words. */
  readonly name: string;
  /** File below `src/`. */
  readonly file: string;
  /** A part of one line that stands in the file once. */
  readonly from: string;
  /** What stands in its place. */
  readonly to: string;
  /** Test file, below `test/`. */
  readonly test: string;
  /** Part of the full name (its groups and its own) of the tests in it that are run; at least one must fail. */
  readonly only: string;
}

/** The root of the project. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The file of a fault, whole path. */
export function faultyFile({ file }: Fault): string {
  return `${ROOT}src/${file}`;
}

/** The test file of a fault, whole path. */
export function testFile({ test }: Fault): string {
  return `${ROOT}test/${test}`;
}

/**
 * The text of a file with the fault in it.
 * @throws Error unless the line is found exactly once
 */
export function withFault(text: string, { name, file, from, to }: Fault): string {
  const [before, after, ...more] = text.split(from);
  if (before === undefined || after === undefined || more.length > 0) {
    const found = after === undefined ? "not" : `${more.length + 1} times`;
    throw new Error(
      `The fault "${name}" wants the following once in src/${file}, but it stands there ${found}: adapt the fault to the source.\n${from}`,
    );
  }
  return before + to + after;
}

/** The source of a fault as it stands. */
export function soundSource(fault: Fault): string {
  return readFileSync(faultyFile(fault), "utf8");
}
