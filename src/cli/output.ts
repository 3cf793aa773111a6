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
    return process.stderr.columns ?? 100;
  },
};
