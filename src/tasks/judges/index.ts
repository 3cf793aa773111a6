export { judgeOf } from "./judgeOf.js";
export { type ModelJudgesOptions, modelJudges, type OpenModel } from "./modelJudges.js";
