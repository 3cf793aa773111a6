import { pythonLength, pythonStrip } from "../../base/index.js";
import { pythonFloat, pythonPattern, stripBoth } from "../python/index.js";

/** What was read out of a free-form answer: numbers rounded to two places, texts in lower case, each once. */
export interface FreeFormReading {
  readonly numbers: readonly number[];
  readonly strings: readonly string[];
}

/**
 * What MixEval's rule-based parser reads out of a free-form answer: what follows words such as "is" and "so" in
 * each line, and the numbers in it.
 */
export function ruleReading(response: string): FreeFormReading {
  const keys = keyResponses(response);
  return normalised([...keys, ...keys.flatMap(numbersIn)]);
}

/** Whether a text read contains a right one, or a number read equals a right one. No partial credit. */
export function ruleFreeForm(reading: FreeFormReading, targets: readonly string[]): boolean {
  const gold = normalised(targets);
  return (
    reading.strings.some((text) => gold.strings.some((right) => text.includes(right))) ||
    reading.numbers.some((value) => gold.numbers.includes(value))
  );
}

const INDICATORS = ["could be ", "so ", "is ", "thus ", "therefore ", "final ", "answer ", "result "];
const LONE_MARKS = new Set([":", ",", ".", "!", "?", ";", "'"]);

function keyResponses(response: string): string[] {
  // Lower case first: the original's split before a capital letter therefore never happens, only that at lines.
  const whole = stripBoth(pythonStrip(response), ".").toLowerCase();
  const pieces = whole.split("\n");
  const found = pieces.flatMap((piece, place) => {
    const indicators = place === pieces.length - 1 ? [...INDICATORS, "="] : INDICATORS;
    let shortest = "";
    for (const indicator of indicators) {
      const at = piece.lastIndexOf(indicator);
      if (at < 0) continue;
      const tail = pythonStrip(piece.slice(at + indicator.length));
      if (shortest === "" || pythonLength(tail) < pythonLength(shortest)) shortest = tail;
    }
    return shortest === "" || LONE_MARKS.has(shortest) ? [] : [shortest];
  });
  return found.length === 0 ? [whole] : found;
}

const WITH_COMMAS = pythonPattern(String.raw`-?\b\d{1,3}(?:,\d{3})+\b`);
const SCIENTIFIC = pythonPattern(String.raw`-?\d+(?:\.\d+)?[eE][+-]?\d+`);
const SIMPLE = pythonPattern(String.raw`-?(?:\d+\.\d+|\.\d+|\d+\b)(?![eE][+-]?\d+)(?![,\d])`);

function numbersIn(text: string): string[] {
  return [WITH_COMMAS, SCIENTIFIC, SIMPLE].flatMap((pattern) => text.match(pattern) ?? []);
}

function normalised(texts: readonly string[]): FreeFormReading {
  const numbers = new Set<number>();
  const strings = new Set<string>();
  for (const text of texts) {
    const trimmed = pythonStrip(text);
    const value = pythonFloat(trimmed.replaceAll(",", ""));
    if (value !== null) numbers.add(roundedToCents(value));
    else if (pythonLength(trimmed) === 1) {
      strings.add(` ${trimmed.toLowerCase()}`);
      strings.add(`${trimmed.toLowerCase()} `);
    } else strings.add(trimmed.toLowerCase());
  }
  numbers.delete(Number.NaN);
  return { numbers: [...numbers], strings: [...strings] };
}

/** Python's `round(value, 2)`: half to even, where the binary value is a half indeed. */
function roundedToCents(value: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e15) return value;
  const eighths = Math.abs(value * 8);
  // Only odd eighths lie exactly between two hundredths.
  if (Number.isInteger(eighths) && eighths % 2 === 1) {
    const below = Math.floor(Math.abs(value) * 100);
    return (Math.sign(value) * (below % 2 === 0 ? below : below + 1)) / 100;
  }
  return Number(value.toFixed(2));
}
