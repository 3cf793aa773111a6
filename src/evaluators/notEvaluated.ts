/**
 * Thrown by an evaluator that was due but does not apply: a test set of another kind, no rows, a round it
 * has nothing to say on. No failure whatever `fail_on_error` says; the status is `skipped`.
 */
export class EvaluationSkipped extends Error {
  override readonly name = "EvaluationSkipped";

  /** @param reason one line for the record */
  constructor(readonly reason: string) {
    super(reason);
  }
}

/** Thrown by an evaluator whose work was handed to a job elsewhere; the status is `pending`. */
export class EvaluationPending extends Error {
  override readonly name = "EvaluationPending";

  /** @param reason one line for the record, naming the job */
  constructor(readonly reason: string) {
    super(reason);
  }
}

/** The status such an error stands for, also where it comes from another copy of the package. */
export function statusOfThrown(thrown: unknown): "skipped" | "pending" | undefined {
  try {
    const name = (thrown as { name?: unknown } | undefined)?.name;
    if (name === "EvaluationSkipped") return "skipped";
    if (name === "EvaluationPending") return "pending";
  } catch {
    // A getter threw: it is a failure like any other.
  }
  return undefined;
}
