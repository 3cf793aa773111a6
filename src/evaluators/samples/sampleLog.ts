import type { LoggedSample } from "./loggedSample.js";

/** Takes an evaluator's samples as they are scored. Given only where its table says `log_samples = true`. */
export interface SampleLog {
  /**
   * Adds a sample of a task. Wait for it before the next: then no more than a piece is ever held in memory.
   * @throws RESULT_INVALID for a sample that JSON cannot carry, or too many tasks
   */
  add(task: string, sample: LoggedSample): Promise<void>;
}
