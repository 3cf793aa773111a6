import { pythonWords } from "../../base/index.js";

/** How two texts are made alike before they are compared. */
export interface AlikeOptions {
  readonly ignore_case: boolean;
  /** Deletes ASCII punctuation. */
  readonly ignore_punctuation: boolean;
  /** Deletes the English articles. */
  readonly ignore_articles: boolean;
  /** One blank for each run of white space, none at the ends. */
  readonly ignore_space: boolean;
}

/** Leaves out of a text what does not count. */
export function alikeText(text: string, options: AlikeOptions): string {
  let alike = options.ignore_case ? text.toLowerCase() : text;
  if (options.ignore_punctuation) alike = alike.replace(PUNCTUATION, "");
  if (options.ignore_articles) alike = alike.replace(ARTICLES, " ");
  return options.ignore_space ? pythonWords(alike).join(" ") : alike;
}

/** The words that SQuAD's script compares (Rajpurkar et al. 2016). */
export function plainWords(text: string): string[] {
  return pythonWords(text.toLowerCase().replace(PUNCTUATION, "").replace(ARTICLES, " "));
}

/** `string.punctuation` of Python. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;
const ARTICLES = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/giu;
