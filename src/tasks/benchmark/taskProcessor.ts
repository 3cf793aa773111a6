import type { TaskDocument } from "../document.js";
import { BaseGeneratorProcessor } from "../processors/baseProcessor.js";
import type { TaskRequest } from "../request.js";
import { scoreDocument } from "../run/runTasks.js";
import type { ScorerInputSample } from "../samples.js";
import type { Task } from "../task.js";
import { readAnswers, type WrittenAnswers, type WrittenValue, writeValue } from "./writtenAnswers.js";

/** What a task asks about a document. */
export interface TaskQuestion {
  readonly doc: number;
  readonly requests: readonly TaskRequest[];
}

/** What scorers see of a document: what was generated, and the values of the task's own metrics. */
export interface TaskScorerInput extends ScorerInputSample {
  readonly doc: number;
  readonly task_values: Readonly<Record<string, WrittenValue>>;
}

/** A benchmark task as a processor: it asks as the task asks, and measures as it measures. */
export class TaskProcessor extends BaseGeneratorProcessor<
  TaskDocument,
  TaskQuestion,
  WrittenAnswers,
  TaskScorerInput
> {
  readonly #task: Task;

  constructor(task: Task) {
    super();
    this.#task = task;
  }

  preprocessSample({ doc, requests }: TaskDocument): TaskQuestion {
    return { doc, requests };
  }

  postprocessSample(written: WrittenAnswers, document: TaskDocument): TaskScorerInput {
    const { scores, seen } = scoreDocument(this.#task, document, readAnswers(written));
    const { gold, doc } = document;
    return {
      doc,
      generated_answer: seen.generations[0]?.text ?? "",
      ...(gold !== null && { expected_answer: gold }),
      task_values: Object.fromEntries([...scores].map(([key, value]) => [key, writeValue(value)])),
    };
  }
}
