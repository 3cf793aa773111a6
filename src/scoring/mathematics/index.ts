export { boxedContent } from "./boxedContent.js";
export { equalMathematics } from "./equalMathematics.js";
export type { Interval, Mathematics, RelationSign, SetOperation } from "./mathematics.js";
export { normalizeLatex } from "./normalizeLatex.js";
export { parseMathematics } from "./parseMathematics.js";
export { percent, readArithmetic, readNumber } from "./readArithmetic.js";
export { type MathematicsOptions, sameMathematics } from "./sameMathematics.js";
