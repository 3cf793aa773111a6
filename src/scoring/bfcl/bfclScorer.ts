import { z } from "zod";
import { ElenchusError, messageOf } from "../../base/index.js";
import { NamedAggregations } from "../aggregation/namedAggregations.js";
import { basicParams } from "../basic/basicParams.js";
import { jsonOf, textOf, unfit } from "../columns.js";
import { defineScorer } from "../defineScorer.js";
import type { Judgement, ScorerRow } from "../scorer.js";
import type { Expected } from "./checkCall.js";
import { type CallRequest, callsFault } from "./checkCalls.js";
import { codeCalls } from "./codeCalls.js";
import { functionSchema, type Language } from "./description.js";
import { pythonCalls } from "./pythonCalls.js";
import { type FunctionCall, type Value, valueOfJson, valueOfJsonText } from "./value.js";

/**
 * Llama Stack's `basic::bfcl`, which it dropped in August 2025: whether an answer calls the right functions with the
 * right arguments, or none where none fits. Nothing of an answer is run.
 */
export const bfclScorer = defineScorer({
  name: "basic::bfcl",
  description: "Llama Stack: 1 where the answer's function calls are right (BFCL; Python, Java, JavaScript)",
  columns: ["generated_answer", "function", "ground_truth", "language", "id"],
  params: z.strictObject(basicParams),
  judge(row): Judgement {
    const category = textOf(row, "id").replace(/_[0-9_-]+$/, "");
    const language = languageOf(row);
    const calls = callsIn(textOf(row, "generated_answer"), language);
    if (RELEVANCE.has(category)) {
      const called = !("fault" in calls);
      return { score: Number(textOf(row, "id").includes("irrelevance") ? !called : called) };
    }
    const request = requestOf(row, category, language);
    const fault = "fault" in calls ? calls.fault : faultOf(calls.found, request);
    return fault === undefined ? { score: 1 } : { score: 0, feedback: fault };
  },
  aggregation: (params) => new NamedAggregations(params, ["accuracy"]),
});

/** Categories that ask whether anything is called at all. */
const RELEVANCE: ReadonlySet<string> = new Set(["irrelevance", "live_relevance", "live_irrelevance"]);

function languageOf(row: ScorerRow): Language {
  const { language } = row;
  if (language === "Python" || language === "Java" || language === "JavaScript") return language;
  throw unfit("language", language, '"Python", "Java" or "JavaScript"');
}

/** The calls of an answer, or why it has none. */
function callsIn(answer: string, language: Language): { found: FunctionCall[] } | { fault: string } {
  const line = answer.replaceAll("\n", "");
  const listed = `${line.startsWith("[") ? "" : "["}${line}${line.endsWith("]") ? "" : "]"}`;
  try {
    const found = language === "Python" ? pythonCalls(listed) : codeCalls(listed.slice(1, -1));
    return found.length === 0 ? { fault: "it calls nothing" } : { found };
  } catch (error) {
    return { fault: `it is no call: ${messageOf(error)}` };
  }
}

/** A value that the description does not provide for makes a call wrong, not the row. */
function faultOf(calls: readonly FunctionCall[], request: CallRequest): string | undefined {
  try {
    return callsFault(calls, request);
  } catch (error) {
    return messageOf(error);
  }
}

/** @throws ROW_INVALID for a row that asks for nothing sensible */
function requestOf(row: ScorerRow, category: string, language: Language): CallRequest {
  const given = jsonOf(row, "function");
  const functions = z
    .array(functionSchema)
    .min(1)
    .safeParse(Array.isArray(given) ? given : [given]);
  if (!functions.success) {
    throw new ElenchusError(
      "ROW_INVALID",
      `function cannot be used: ${functions.error.issues[0]?.path.join(".")}: ${functions.error.issues[0]?.message}. Expected descriptions with name and parameters.`,
    );
  }
  return { functions: functions.data, expected: expectedCalls(row), language, category };
}

/** Of `[{ name: { parameter: [value, ...] } }]`. */
function expectedCalls(row: ScorerRow): Expected[] {
  const text = row.ground_truth;
  // Only the text tells 1.0 from 1.
  jsonOf(row, "ground_truth");
  const value = typeof text === "string" ? valueOfJsonText(text) : valueOfJson(text);
  const calls = value.kind === "list" ? value.items : [value];
  const expected = calls.map((call) => {
    const [entry] = call.kind === "dict" ? call.entries : [];
    return entry !== undefined && entry[1].kind === "dict"
      ? { name: entry[0], possible: possibleOf(entry[1]) }
      : undefined;
  });
  if (expected.length > 0 && expected.every((one) => one !== undefined)) return expected;
  throw unfit("ground_truth", text, "a list of objects { name: { parameter: [possible values] } }");
}

function possibleOf(parameters: Extract<Value, { kind: "dict" }>): Map<string, readonly Value[]> {
  return new Map(
    [...parameters.entries].map(([name, values]) => [name, values.kind === "list" ? values.items : [values]]),
  );
}
