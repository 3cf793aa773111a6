import { pythonStrip, pythonWords } from "../../base/index.js";
import { countMatches, pythonPattern } from "../python/index.js";
import { splitSentences } from "../sentences/index.js";

/** Words of a text in that language, as Llama Stack counts them; of Thai, those of ICU's dictionary. */
export function wordCount(text: string, language: string): number {
  if (language === "th") return segments(text, "word");
  if (CHARACTER_LANGUAGES.has(language)) return characterCount(text);
  return countMatches(text, WORD);
}

/** Sentences of a text in that language, as Llama Stack counts them; of Thai, those of ICU. */
export function sentenceCount(text: string, language: string): number {
  if (language === "th") {
    return lines(text).reduce((sum, line) => sum + segments(line, "sentence"), 0);
  }
  if (!STOP_LANGUAGES.has(language)) return splitSentences(text).length;
  return lines(text).reduce((sum, line) => sum + countMatches(pythonStrip(line), STOPPED), 0);
}

const CHARACTER_LANGUAGES: ReadonlySet<string> = new Set(["zh", "zh-cn", "zh-tw", "ja", "ko"]);
const STOP_LANGUAGES: ReadonlySet<string> = new Set(["zh", "zh-cn", "zh-tw", "ja", "hi"]);
const WORD = pythonPattern(String.raw`\w+`);
const STOPPED = /[^!?。.！？．\n।]+[!?。.！？．\n।]?/gu;
const MARKS = /[\\.!?．/_,{}<>:;$%^&*(+"'—！，。？、`~@#￥…（）：；《》“”()[\]«»〔〕\-「」]+/gu;
const EMOJI_SOURCE = "\\p{RGI_Emoji}|\\p{Extended_Pictographic}";
const EMOJI = new RegExp(EMOJI_SOURCE, "gv");
/** Chinese, the two Japanese syllabaries, Korean syllables. */
const CHARACTER = /[\u4E00-\u9FFF\u3400-\u4DBF\u3040-\u30ff\uAC00-\uD7AF]/gu;

/** Each character of the three scripts, each emoji, and each other word. */
function characterCount(text: string): number {
  const plain = text.replace(MARKS, "");
  const withoutEmoji = plain.replace(EMOJI, "");
  const others = pythonWords(withoutEmoji.replace(CHARACTER, " ")).length;
  return others + countMatches(withoutEmoji, CHARACTER) + countMatches(plain, EMOJI);
}

function segments(text: string, granularity: "word" | "sentence"): number {
  const found = [...new Intl.Segmenter("th", { granularity }).segment(text)];
  return found.filter(({ segment }) => segment.trim() !== "").length;
}

const LINE_ENDS = "\\r\\n|[\\n\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029]";
const LINE_END = new RegExp(LINE_ENDS);

/** `str.splitlines()`: the last line end begins no line. */
function lines(text: string): string[] {
  const found = text.split(LINE_END);
  return found.at(-1) === "" ? found.slice(0, -1) : found;
}
