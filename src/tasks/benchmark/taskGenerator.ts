import { ElenchusError } from "../../base/index.js";
import type { LanguageModel } from "../../language/index.js";
import { BaseGenerator } from "../generators/baseGenerator.js";
import { type GenerationPace, usualPace } from "../generators/inferenceGenerator.js";
import type { TaskRequest } from "../request.js";
import { type AnswerOptions, answerAll } from "../run/answers.js";
import type { Task } from "../task.js";
import type { TaskQuestion } from "./taskProcessor.js";
import { type WrittenAnswers, writeAnswers } from "./writtenAnswers.js";

/** What the model is told beside a task's requests. */
export interface TaskGeneratorOptions extends Omit<AnswerOptions, "signal"> {
  readonly pace?: Partial<GenerationPace> | undefined;
  /** In place of the task's own. */
  readonly maxNewTokens?: number | undefined;
  /** Beside the task's own. */
  readonly stop?: readonly string[] | undefined;
}

/** Has a language model answer what a task asks: continuations scored, texts rolled over, answers written. */
export class TaskGenerator extends BaseGenerator<TaskQuestion, WrittenAnswers> {
  readonly batchSize: number;
  readonly concurrency: number;
  readonly #task: Task;
  readonly #model: LanguageModel;
  readonly #options: Omit<AnswerOptions, "signal">;
  readonly #bounded: (request: TaskRequest) => TaskRequest;

  constructor(
    task: Task,
    model: LanguageModel,
    { pace, maxNewTokens, stop = [], ...options }: TaskGeneratorOptions = {},
  ) {
    super();
    const usual = usualPace(model);
    this.batchSize = pace?.batchSize ?? usual.batchSize;
    this.concurrency = pace?.concurrency ?? usual.concurrency;
    this.#task = task;
    this.#model = model;
    this.#options = options;
    this.#bounded = (request) =>
      request.kind === "generate"
        ? {
            ...request,
            stop: [...request.stop, ...stop],
            maxNewTokens: maxNewTokens ?? request.maxNewTokens,
          }
        : request;
  }

  /** @throws CAPABILITY_MISSING where the model cannot answer what the task asks; ROW_INVALID for a row alone */
  async generate(samples: readonly TaskQuestion[], signal?: AbortSignal): Promise<WrittenAnswers[]> {
    const asked = samples.map(({ requests }) => ({
      task: this.#task,
      requests: requests.map(this.#bounded),
    }));
    const answers = await answerAll(this.#model, asked, { ...this.#options, signal });
    return answers.map((answer) => {
      if (!("refused" in answer)) return writeAnswers(answer);
      throw new ElenchusError("ROW_INVALID", `It cannot be asked with this tokenizer: ${answer.refused}.`);
    });
  }
}
