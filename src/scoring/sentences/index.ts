export { englishParameters, type PunktParameters } from "./punktParameters.js";
export { splitSentences } from "./splitSentences.js";
export { wordTokens } from "./wordTokens.js";
