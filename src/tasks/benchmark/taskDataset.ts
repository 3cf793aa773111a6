import { BaseDataset, type OpenedRows, type RowLimit, type RowSource } from "../datasets/baseDataset.js";
import type { TaskDocument } from "../document.js";
import type { DocumentOptions, Task, TaskRows } from "../task.js";

/** The documents of a benchmark task, in the order of evaluation. */
export class TaskDataset extends BaseDataset<TaskDocument> {
  readonly #task: Task;
  readonly #rows: TaskRows;
  readonly #options: Omit<DocumentOptions, "limit">;

  constructor(task: Task, rows: TaskRows, options: Omit<DocumentOptions, "limit">) {
    super(task.name);
    this.#task = task;
    this.#rows = rows;
    this.#options = options;
  }

  protected source(): RowSource<TaskDocument> {
    return { rows: () => this.#task.documents(this.#rows, this.#options) };
  }

  /** The first documents are those that the task's own system takes. */
  override async open(limit?: RowLimit, signal?: AbortSignal): Promise<OpenedRows<TaskDocument>> {
    const opened = await super.open(limit, signal);
    if (limit?.choose !== "first" || limit.rows >= opened.total) return opened;
    const documents = [...this.#task.documents(this.#rows, { ...this.#options, limit: limit.rows })];
    return {
      ...opened,
      used: documents.length,
      async *rows() {
        for (const [index, sample] of documents.entries()) yield { index, sample };
      },
    };
  }
}
