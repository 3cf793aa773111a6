export { judgeOf } from "./judgeOf.js";
export {
  type ModelJudgesOptions,
  modelJudges,
  type OpenedModel,
  type OpenModel,
  openModel,
} from "./modelJudges.js";
