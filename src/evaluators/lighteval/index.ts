export { LightevalEvaluator } from "./lightevalEvaluator.js";
export { presetCatalog } from "./presets.js";
