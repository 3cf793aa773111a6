export { LanguageModelEvaluator } from "./languageModelEvaluator.js";
