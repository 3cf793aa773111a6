import { PythonRandom } from "../../base/index.js";
import { languageFeatures } from "./languageFeatures.js";
import { type LanguageProfiles, languageProfiles } from "./languageProfiles.js";

/** A language and how likely it is, 0 to 1. */
export interface LikelyLanguage {
  language: string;
  probability: number;
}

/**
 * The likely languages of a text, best first, as `detect_langs` of langdetect 1.0.9 gives them (a port of Nakatani
 * Shuyo's language-detection): naive Bayes over randomly drawn n-grams, averaged over seven trials.
 * @param seed `DetectorFactory.seed`; the same seed gives the same digits
 * @returns undefined for a text without features, where langdetect raises an error; empty where no language reaches 0.1
 */
export function detectLanguages(text: string, seed = 0): LikelyLanguage[] | undefined {
  return languageDetector(text)?.(seed);
}

/** The code of the most likely language, `unknown` where none is likely; undefined for a text without features. */
export function detectLanguage(text: string, seed = 0): string | undefined {
  const likely = detectLanguages(text, seed);
  return likely && (likely[0]?.language ?? UNKNOWN);
}

/** What `detect` answers when no language is likely enough. */
export const UNKNOWN = "unknown";

/**
 * Reads the text once, for detections with several seeds.
 * @returns undefined for a text without features
 */
export function languageDetector(text: string): ((seed: number) => LikelyLanguage[]) | undefined {
  const profiles = languageProfiles();
  const features = languageFeatures(text, profiles);
  if (features.length === 0) return undefined;
  return (seed) => mostLikely(averaged(features, profiles, seed), profiles);
}

const TRIALS = 7;
const SMOOTHING = 0.5;
const SMOOTHING_WIDTH = 0.05;
const BASE_FREQUENCY = 10_000;
const LONGEST_TRIAL = 1000;
const CONVERGED = 0.99999;
const LIKELY = 0.1;

function averaged(features: readonly number[], profiles: LanguageProfiles, seed: number): Float64Array {
  const { starts, languages, probabilities } = profiles.grams;
  const count = profiles.languages.length;
  const random = new PythonRandom(seed);
  const sum = new Float64Array(count);
  const held = new Float64Array(count);
  for (let trial = 0; trial < TRIALS; trial++) {
    const current = new Float64Array(count).fill(1 / count);
    const weight = (SMOOTHING + random.gauss() * SMOOTHING_WIDTH) / BASE_FREQUENCY;
    for (let step = 0; ; step++) {
      const gram = random.choice(features);
      const start = starts[gram]!;
      const end = starts[gram + 1]!;
      // Most languages lack the n-gram and get the same factor; the others are worked out before and put back.
      for (let entry = start; entry < end; entry++) {
        held[entry - start] = current[languages[entry]!]! * (weight + probabilities[entry]!);
      }
      for (let language = 0; language < count; language++) current[language]! *= weight;
      for (let entry = start; entry < end; entry++) current[languages[entry]!] = held[entry - start]!;
      if (step % 5 === 0 && (normalise(current) > CONVERGED || step >= LONGEST_TRIAL)) break;
    }
    for (let language = 0; language < count; language++) sum[language]! += current[language]! / TRIALS;
  }
  return sum;
}

/** Scales to sum 1 and returns the largest. */
function normalise(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  let largest = 0;
  for (let index = 0; index < values.length; index++) {
    values[index] = values[index]! / sum;
    largest = Math.max(largest, values[index]!);
  }
  return largest;
}

function mostLikely(probabilities: Float64Array, { languages }: LanguageProfiles): LikelyLanguage[] {
  return languages
    .map((language, index) => ({ language, probability: probabilities[index]! }))
    .filter(({ probability }) => probability > LIKELY)
    .sort((one, other) => other.probability - one.probability);
}
