import type { AnswerPattern, LetterTarget } from "./answerTarget.js";
import { ANSWER, ANY, END, FINAL_ANSWER, FINAL_ANSWER_IS } from "./patternParts.js";

/** Where the letter of one of so many choices stands. Group: `letter`, perhaps in brackets. */
export function letterPatterns({ unanchored = false }: LetterTarget, choices: number): AnswerPattern[] {
  const letters = [...ALPHABET.slice(0, choices)].map((letter) => `(?:${letter}|\\(${letter}\\))`);
  const letter = `(?<letter>${letters.join("|")})`;
  const behind = `(?:\\*\\*)?(?:\\.|,|\\s?:| |${END})`;
  const whole = `(?:^| )(?:\\*\\*)?${letter}${behind}`;
  const anchored: [string, number][] = [
    [`${FINAL_ANSWER_IS}:?\\s*${letter}\\.?\\s?I hope`, 0],
    [`${FINAL_ANSWER}${ANY}{0,100}?\\s+is:?\\s*${letter}`, 50],
    [`${ANSWER}\\s?:${ANY}{0,50}?${whole}`, 100],
    [`${ANSWER}${ANY}{0,50}?${whole}`, 150],
    [`^(?:\\*\\*)?${letter}${behind}`, 200],
    [`\\n(?:\\*\\*)?${letter}${behind}`, 210],
  ];
  const plain: [string, number][] = [
    [whole, 250],
    [letter, 300],
  ];
  return [...anchored, ...(unanchored ? plain : [])].map(([source, priority]) => ({
    pattern: new RegExp(source, "gu"),
    priority,
  }));
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
