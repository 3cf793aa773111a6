export type { WeightArray, WeightData, WeightDtype, Weights } from "./weights.js";
