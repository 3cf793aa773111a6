import { coreTasks } from "./core/coreTasks.js";
import { MMLU_FIELDS, MMLU_PRO_CATEGORIES, MMLU_SUBJECTS } from "./mmlu/subjects.js";

/** Several tasks under one name. */
export interface TaskGroup {
  readonly name: string;
  readonly description: string;
  /** Names of the tasks with their dialect. */
  readonly tasks: readonly string[];
  /**
   * How the mean over them is taken: `documents`: each by its number of documents; `tasks`: all alike; `none`: they
   * only go by one name.
   */
  readonly average: "documents" | "tasks" | "none";
}

/** The groups that are built in, by name with dialect. */
export const taskGroups: ReadonlyMap<string, TaskGroup> = new Map(
  [
    group("lighteval:mmlu", "MMLU, all 57 subjects", "tasks", mmlu("lighteval", MMLU_SUBJECTS)),
    group("lighteval:arc", "ARC, Easy and Challenge", "tasks", [
      "lighteval:arc_easy",
      "lighteval:arc_challenge",
    ]),
    group("lighteval:lambada", "LAMBADA in both texts, with and without a gap", "tasks", [
      "lighteval:lambada_standard",
      "lighteval:lambada_standard_cloze",
      "lighteval:lambada_openai",
      "lighteval:lambada_openai_cloze",
    ]),
    group("harness:mmlu", "MMLU, all 57 subjects", "documents", mmlu("harness", MMLU_SUBJECTS)),
    ...Object.entries(MMLU_FIELDS).map(([field, subjects]) =>
      group(
        `harness:mmlu_${field}`,
        `MMLU, subjects of ${field.replace("_", " ")}`,
        "documents",
        mmlu("harness", subjects),
      ),
    ),
    group(
      "harness:mmlu@v0",
      "MMLU, all 57 subjects; as the first harness did it",
      "documents",
      mmlu("harness", MMLU_SUBJECTS).map((name) => `${name}@v0`),
    ),
    group(
      "harness:mmlu_pro",
      "MMLU-Pro, all 14 categories",
      "documents",
      MMLU_PRO_CATEGORIES.map((category) => `harness:mmlu_pro_${category.replaceAll(" ", "_")}`),
    ),
    group("harness:ai2_arc", "ARC, Easy and Challenge", "none", [
      "harness:arc_easy",
      "harness:arc_challenge",
    ]),
    group("harness:lambada", "LAMBADA in both texts", "none", [
      "harness:lambada_openai",
      "harness:lambada_standard",
    ]),
    group(
      "core:core",
      "CORE, all 22 tasks",
      "none",
      coreTasks.map(({ label }) => `core:${label}`),
    ),
  ].map((one) => [one.name, one]),
);

function group(
  name: string,
  description: string,
  average: TaskGroup["average"],
  tasks: readonly string[],
): TaskGroup {
  return { name, description, average, tasks };
}

function mmlu(dialect: string, subjects: readonly string[]): string[] {
  return subjects.map((subject) => `${dialect}:mmlu_${subject}`);
}
