import { z } from "zod";
import { expectationAt, expectedBy, nearest, ownWords } from "../../base/index.js";
import type { EvaluationClass } from "../../evaluations/index.js";
// Past the index, which loads tokenizers: a configuration is checked without them.
import { evaluations } from "../../evaluations/registry.js";
import { settingsSchema } from "../../evaluations/settings.js";
import { COMMON_KEYS } from "../evaluationTable.js";
import { isPlainObject } from "../jsonCopy.js";

const own = {
  evaluations: z.array(z.string().min(1)).min(1).optional().meta({
    description: "Registered evaluations, in the order of their columns; those of the trainer when absent.",
  }),
  workers: z.int().positive().max(256).default(1).meta({
    description: "Processes that share the rows; what they find does not depend on how many there are.",
  }),
  ...settingsSchema.shape,
};

/**
 * The options of the evaluator `evaluations`. Beside them stand those of the evaluations themselves: a key of one's
 * own schema, or a table of its name.
 */
export const tableOptions = z.looseObject(own).superRefine((table, context) => {
  const chosen = (table.evaluations ?? []).map((name) => ({ name, evaluation: find(name) }));
  for (const { name, evaluation } of chosen) {
    if (evaluation === undefined) {
      context.addIssue({ code: "custom", path: ["evaluations"], message: unknown(name) });
      continue;
    }
    const parsed = evaluation.options?.safeParse(optionsFor(name, evaluation, table));
    for (const issue of parsed?.error?.issues ?? []) {
      const expected = ownWords(issue) ?? expectationAt(evaluation.options!, issue.path) ?? expectedBy(issue);
      const message = `${expected}, for ${[name, ...issue.path].map(String).join(".")}`;
      context.addIssue({ code: "custom", path: [keyOf(table, name, issue.path)], message });
    }
    if (evaluation.options === undefined) continue;
    const keys = keysOf(evaluation);
    for (const key of Object.keys(ownTable(table, name)).filter((given) => !keys.includes(given))) {
      const message = `options of the evaluation "${name}", of which "${key}" is none: ${keys.join(", ") || "it has none"}`;
      context.addIssue({ code: "custom", path: [name], message });
    }
  }
  const names = chosen.map(({ name }) => name);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) {
    const message = `each evaluation once, since its name is a column: "${twice}" is named twice`;
    context.addIssue({ code: "custom", path: ["evaluations"], message });
  }
  // Which evaluations a trainer has is not known here.
  if (table.evaluations === undefined || chosen.some(({ evaluation }) => evaluation === undefined)) return;
  const known = new Set([
    ...Object.keys(own),
    ...COMMON_KEYS,
    ...table.evaluations,
    ...chosen.flatMap(({ evaluation }) => keysOf(evaluation)),
  ]);
  for (const key of Object.keys(table).filter((given) => !known.has(given))) {
    const message = `a key of the evaluator "evaluations" or of one of its evaluations: ${[...known].join(", ")}`;
    context.addIssue({ code: "custom", path: [key], message });
  }
});

/** What an evaluation's own schema is given: the keys of the table that it knows, those in its own table first. */
export function optionsFor(
  name: string,
  evaluation: EvaluationClass,
  table: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const keys = keysOf(evaluation);
  const shared = Object.entries(table).filter(([key]) => keys.includes(key));
  return Object.fromEntries([...shared, ...Object.entries(ownTable(table, name))]);
}

/** What stands in the table for one evaluation alone. */
function ownTable(table: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  const own = Object.hasOwn(table, name) ? table[name] : undefined;
  return isPlainObject(own) ? own : {};
}

/** Where what an evaluation's schema complains of is written; what is written nowhere, where it is chosen. */
function keyOf(
  table: Readonly<Record<string, unknown>>,
  name: string,
  [option]: readonly PropertyKey[],
): string {
  if (option === undefined || Object.hasOwn(ownTable(table, name), option)) {
    return Object.hasOwn(table, name) ? name : "evaluations";
  }
  if (Object.hasOwn(table, option)) return String(option);
  return Object.hasOwn(table, name) ? name : "evaluations";
}

function keysOf(evaluation: EvaluationClass | undefined): string[] {
  const shape = (evaluation?.options as { shape?: unknown } | undefined)?.shape;
  return isPlainObject(shape) ? Object.keys(shape) : [];
}

function unknown(name: string): string {
  const registered = evaluations.registeredNames();
  const suggestion = nearest(name, registered);
  const hint = suggestion === undefined ? "" : ` (did you mean "${suggestion}"?)`;
  return `registered evaluations, of which "${name}" is none${hint}: ${registered.join(", ") || "there are none, and --import names the module that registers some"}`;
}

function find(name: string): EvaluationClass | undefined {
  return evaluations.has(name) ? evaluations.lookup(name) : undefined;
}
