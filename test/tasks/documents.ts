import {
  type DocumentOptions,
  resolveTask,
  type TaskDocument,
  type TaskRows,
} from "../../src/tasks/index.js";

type Rows = TaskRows["evaluated"];

/** The documents of a task from rows written by hand. */
export function documentsOf(
  name: string,
  evaluated: Rows,
  pool: Rows = evaluated,
  options: Partial<DocumentOptions> = {},
): TaskDocument[] {
  const { task, shots } = resolveTask(name).tasks[0]!;
  return [...task.documents({ evaluated, pool }, { shots, ...options })];
}

/** The first request of the document of a row, which asks for likelihoods. */
export function choicesOf(documents: readonly TaskDocument[], doc = 0) {
  const request = documents.find((document) => document.doc === doc)!.requests[0]!;
  if (request.kind !== "loglikelihood") throw new Error(`it is a ${request.kind} request`);
  return request;
}

/** The first prompt of the document of a row. */
export function promptOf(documents: readonly TaskDocument[], doc = 0) {
  return documents.find((document) => document.doc === doc)!.requests[0]!.prompts[0]!;
}

export const arcRow = (question: string, answerKey = "B") => ({
  question,
  choices: { text: ["one", "two", "three"], label: ["A", "B", "C"] },
  answerKey,
});
export const piqaRow = (goal: string, label = 0) => ({
  goal,
  sol1: `${goal} so`,
  sol2: `${goal} thus`,
  label,
});
