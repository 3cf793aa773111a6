/** Where a command writes. Passed in, so that commands run in tests as they run in a terminal. */
export interface Output {
  /** Results: what a user would pipe on. */
  stdout(text: string): void;
  /** Errors, warnings and progress. */
  stderr(text: string): void;
  /** True when progress may redraw lines. */
  readonly terminal: boolean;
  /** Width of the terminal in characters. */
  readonly columns: number;
}

/** The process's own streams. */
export const processOutput: Output = {
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  get terminal() {
    return process.stderr.isTTY === true;
  },
  get columns() {
    // A terminal of unknown size has none.
    return process.stderr.columns || 100;
  },
};

/**
 * Keeps standard output for the one document of `--json`: whatever else is written there, by a user's module
 * for example, goes to standard error from now on.
 */
export function documentOutput(): Output {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return { ...processOutput, terminal: processOutput.terminal, stdout: (text) => void write(text) };
}
