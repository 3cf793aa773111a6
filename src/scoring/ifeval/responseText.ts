import { pythonStrip } from "../../base/index.js";
import { languageDetector, UNKNOWN } from "../languages/index.js";
import { splitSentences, wordTokens } from "../sentences/index.js";

/** One wording of a response; what several instructions or several draws ask of it is worked out once. */
export class ResponseText {
  /** Without white space at its ends. */
  readonly trimmed: string;
  #sentences: number | undefined;
  #tokens: readonly string[] | undefined;
  #detector: ReturnType<typeof languageDetector> | "unread" = "unread";
  readonly #languages = new Map<number, string>();

  constructor(readonly text: string) {
    this.trimmed = pythonStrip(text);
  }

  get blank(): boolean {
    return this.trimmed === "";
  }

  get sentenceCount(): number {
    this.#sentences ??= splitSentences(this.text).length;
    return this.#sentences;
  }

  get tokens(): readonly string[] {
    this.#tokens ??= wordTokens(this.text);
    return this.#tokens;
  }

  /** The most likely language by that seed; undefined where the text has no features to tell by. */
  language(seed: number): string | undefined {
    if (this.#detector === "unread") this.#detector = languageDetector(this.text);
    if (this.#detector === undefined) return undefined;
    let language = this.#languages.get(seed);
    if (language === undefined) {
      language = this.#detector(seed)[0]?.language ?? UNKNOWN;
      this.#languages.set(seed, language);
    }
    return language;
  }
}
