export {
  firstCharacter,
  isLower,
  isUpper,
  removePrefix,
  removeSuffix,
  stripBoth,
  stripEnd,
  stripStart,
} from "./pythonCase.js";
export { pythonFloat } from "./pythonFloat.js";
export { isPythonJson } from "./pythonJson.js";
export { countMatches, isFound, type PatternFlags, pythonPattern } from "./pythonPattern.js";
