export { activate, GATES, type Gate } from "./activation.js";
export { type AdamNumbers, type AdamResult, type AdamState, adamStep } from "./adamStep.js";
export { type AttentionOptions, attention, packedAttention, type Sight } from "./attention.js";
export { embedding } from "./embedding.js";
export { linear, type WeightOrder } from "./linear.js";
export { type NormOptions, normalise } from "./normalisation.js";
export { type Angles, rotate } from "./rotary.js";
export { tokenCrossEntropy } from "./tokenCrossEntropy.js";
