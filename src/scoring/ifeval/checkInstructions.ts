import { ElenchusError, unknownName } from "../../base/index.js";
import type { Check, Instruction } from "./instruction.js";
import { INSTRUCTION_IDS, INSTRUCTIONS } from "./instructions.js";
import { looseVariants } from "./looseVariants.js";
import { ResponseText } from "./responseText.js";

/** A prompt's instructions and the response to it. */
export interface InstructionRequest {
  /** Not read by any of the 25 checks; kept for what a row is. */
  prompt?: string;
  instructionIdList: readonly string[];
  /** Arguments, one object for each instruction, in the same order; null ones count as absent. */
  kwargs: readonly (Readonly<Record<string, unknown>> | null)[];
  response: string;
}

/** One verdict for each instruction, in the order of the request. */
export interface InstructionVerdicts {
  /** Whether the response follows the instruction as it stands. */
  strict: boolean[];
  /** Whether any of its loose wordings does. */
  loose: boolean[];
  /** Positions whose strict or loose verdict another draw would change. */
  unstable: number[];
}

/** How draws are made. */
export interface CheckOptions {
  /** Seed of language detection and of the letter that stands for a sign. Default 0. */
  seed?: number;
}

/**
 * Judges a response by the instructions of IFEval (Zhou et al. 2023), verdict for verdict as its reference
 * implementation and those of lighteval and lm-evaluation-harness do. A blank response follows none.
 * @throws ROW_INVALID for an unknown instruction, a missing, unknown or unfit argument, or lists of unequal length
 */
export function checkInstructions(
  request: InstructionRequest,
  options: CheckOptions = {},
): InstructionVerdicts {
  const { seed = 0 } = options;
  if (request.instructionIdList.length === 0) {
    throw new ElenchusError(
      "ROW_INVALID",
      "instruction_id_list is empty: expected at least one instruction.",
    );
  }
  const asked = askedInstructions(request);
  const wordings = [...new Set(looseVariants(request.response))].map((text) => new ResponseText(text));
  const verdicts: InstructionVerdicts = { strict: [], loose: [], unstable: [] };
  for (const [index, { instruction, given }] of asked.entries()) {
    const { strict, loose } = judged(instruction.check(given, seed), wordings);
    verdicts.strict.push(strict);
    verdicts.loose.push(loose);
    const disagrees = instruction.otherDraws(given, seed).some((check) => {
      const other = judged(check, wordings);
      return other.strict !== strict || other.loose !== loose;
    });
    if (disagrees) verdicts.unstable.push(index);
  }
  return verdicts;
}

/** @param wordings of the response, the response itself first, none twice */
function judged(check: Check, wordings: readonly ResponseText[]): { strict: boolean; loose: boolean } {
  const passes = (wording: ResponseText) => !wording.blank && check(wording);
  const [response, ...others] = wordings as [ResponseText, ...ResponseText[]];
  const strict = passes(response);
  return { strict, loose: strict || others.some(passes) };
}

/**
 * The instructions of a row with their arguments, parsed.
 * @param table of the instructions by id
 * @throws ROW_INVALID
 */
export function askedInstructions(
  { instructionIdList, kwargs }: InstructionRequest,
  table: ReadonlyMap<string, Instruction> = INSTRUCTIONS,
) {
  if (kwargs.length !== instructionIdList.length) {
    throw new ElenchusError(
      "ROW_INVALID",
      `kwargs has ${kwargs.length} entries for ${instructionIdList.length} instructions: ` +
        "expected one object for each, {} where an instruction takes none.",
    );
  }
  return instructionIdList.map((id, index) => {
    const instruction = table.get(id);
    if (instruction === undefined) {
      throw new ElenchusError("ROW_INVALID", unknownName("instruction", id, [...INSTRUCTION_IDS]).message);
    }
    return { instruction, given: parsedArguments(instruction, id, kwargs[index] ?? {}) };
  });
}

function parsedArguments(
  instruction: Instruction,
  id: string,
  given: Readonly<Record<string, unknown>>,
): unknown {
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value != null));
  const parsed = instruction.arguments.safeParse(present);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => {
    if (issue.code === "unrecognized_keys") return `it takes no ${issue.keys.join(", ")}`;
    const [name, ...inside] = issue.path.map(String);
    if (name === undefined) return issue.message;
    if (!Object.hasOwn(present, name)) return `${name} is missing: ${issue.message}`;
    return `${[name, ...inside].join(".")} = ${shown(present[name])}: ${issue.message}`;
  });
  throw new ElenchusError("ROW_INVALID", `${id}: ${faults.join("; ")}.`);
}

function shown(value: unknown): string {
  return typeof value === "bigint" ? String(value) : (JSON.stringify(value) ?? String(value));
}
