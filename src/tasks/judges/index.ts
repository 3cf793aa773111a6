export { type JudgeModelsOptions, judgeModels } from "./judgeModels.js";
export { judgeOf } from "./judgeOf.js";
