export { defaultStrategies, type StrategySet } from "./defaultStrategies.js";
export { languageStrategies } from "./languageStrategies.js";
export { type StrategyFactory, type StrategyFacts, strategyFactory } from "./strategyFactory.js";
export { losses, optimizers, schedulers, strategyCatalog } from "./strategyRegistries.js";
