import {
  checkInstructions,
  IfevalAccuracies,
  type InstructionVerdicts,
  ifevalRequest,
} from "../../scoring/index.js";
import type { TaskDocument } from "../document.js";
import type { TaskFacts } from "../task.js";
import type { Metric, SampleValue, TaskAnswers } from "./metric.js";
import { bootstrapError, mean, meanError } from "./standardError.js";

/**
 * The four accuracies of IFEval: a prompt counts where all its instructions were followed, an instruction by itself,
 * each as the answer stands and in its loose wordings.
 */
export function instructionMetrics(): Metric[] {
  return [
    promptLevel("prompt_level_strict_acc", "strict"),
    instructionLevel("inst_level_strict_acc", "strict"),
    promptLevel("prompt_level_loose_acc", "loose"),
    instructionLevel("inst_level_loose_acc", "loose"),
  ];
}

/**
 * How each kind of instruction was followed, and which verdicts hang on a random draw: the row, and the places among
 * its instructions.
 */
export const instructionFacts: TaskFacts = (answered) => {
  const accuracies = new IfevalAccuracies();
  const unstable: { doc: number; instructions: readonly number[] }[] = [];
  for (const { document, answers } of answered) {
    const found = verdicts(document, answers);
    const { instructionIdList } = ifevalRequest({ ...document.row, generated_answer: "" });
    accuracies.add({ ...found, instructionIdList });
    if (found.unstable.length > 0) unstable.push({ doc: document.doc, instructions: found.unstable });
  }
  const instructions = [...accuracies.instructions()].map(([id, { count, strict, loose }]) => [
    id,
    { count, strict_acc: strict, loose_acc: loose },
  ]);
  return { instructions: Object.fromEntries(instructions), unstable };
};

type Kind = "strict" | "loose";

function promptLevel(name: string, kind: Kind): Metric {
  return {
    name,
    higherIsBetter: true,
    score: (document, answers) => Number(verdicts(document, answers)[kind].every(Boolean)),
    aggregate: (values) => mean(values.flat()),
    standardError: (values) => meanError(values.flat()),
  };
}

function instructionLevel(name: string, kind: Kind): Metric {
  return {
    name,
    higherIsBetter: true,
    score: (document, answers) => verdicts(document, answers)[kind].map(Number),
    aggregate: (values) => mean(values.flat()),
    standardError: (values, options) =>
      options.convention === "lighteval" ? redrawn(values, options) : meanError(values.flat()),
  };
}

/** lighteval draws whole prompts for these two. */
function redrawn(values: readonly SampleValue[], options: Parameters<typeof bootstrapError>[2]) {
  const rows = values.map((value) => (typeof value === "number" ? [value] : value));
  const statistic = (places: Uint32Array) => mean([...places].flatMap((place) => rows[place]!));
  return bootstrapError(rows.length, statistic, options);
}

/** Four metrics ask for the verdicts on one answer. */
const known = new WeakMap<TaskAnswers, InstructionVerdicts>();

function verdicts({ row }: TaskDocument, answers: TaskAnswers): InstructionVerdicts {
  let found = known.get(answers);
  if (found === undefined) {
    found = checkInstructions(ifevalRequest({ ...row, generated_answer: answers.generations[0]!.text }));
    known.set(answers, found);
  }
  return found;
}
