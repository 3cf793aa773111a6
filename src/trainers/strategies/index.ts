export { defaultStrategies, type StrategySet } from "./defaultStrategies.js";
export { languageStrategies } from "./languageStrategies.js";
export { losses } from "./losses.js";
export { optimizers } from "./optimizers.js";
export { schedulers } from "./schedulers.js";
export { type StrategyFactory, type StrategyFacts, strategyFactory } from "./strategyFactory.js";
export { strategyCatalog } from "./strategyRegistries.js";
