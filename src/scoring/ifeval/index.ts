export {
  ACCURACIES,
  IfevalAccuracies,
  type IfevalMetrics,
  type InstructionAccuracy,
  type JudgedInstructions,
} from "./accuracies.js";
export {
  type CheckOptions,
  checkInstructions,
  type InstructionRequest,
  type InstructionVerdicts,
} from "./checkInstructions.js";
export { ifevalRequest } from "./ifevalRow.js";
export { INSTRUCTION_IDS } from "./instructions.js";
export { looseVariants } from "./looseVariants.js";
