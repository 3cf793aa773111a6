export {
  detectLanguage,
  detectLanguages,
  type LikelyLanguage,
  languageDetector,
  UNKNOWN,
} from "./detectLanguages.js";
