import { z } from "zod";
import { FIVE_POINT_PROMPT } from "../../scoring/judge/fivePointPrompt.js";
import type { DictSample } from "../datasets/baseDataset.js";
import type { GenerationResponseSample, PreprocessedSample, ScorerInputSample } from "../samples.js";
import { BaseGeneratorProcessor } from "./baseProcessor.js";
import { columnText } from "./rowColumns.js";

const params = z.strictObject({});

/**
 * Rates answers that are already there, from 0 to 5: rows with `input_query`, `expected_answer` and `generated_answer`.
 * What comes out as `generated_answer` is the rating, the empty text where the model gave none between 0 and 5.
 */
export class JudgeProcessor extends BaseGeneratorProcessor {
  preprocessSample({ data }: DictSample): PreprocessedSample {
    const slots: Readonly<Record<string, string>> = {
      question: columnText(data, "input_query"),
      expected_answer: columnText(data, "expected_answer"),
      answer: columnText(data, "generated_answer"),
    };
    // In one pass: braces in what is put in stay as they are.
    const content = FIVE_POINT_PROMPT.replace(
      /\{(question|expected_answer|answer)\}/g,
      (_, slot) => slots[slot]!,
    );
    return { generation_input: { messages: [{ role: "user", content }] } };
  }

  postprocessSample(
    { generation_output }: GenerationResponseSample,
    { data }: DictSample,
  ): ScorerInputSample {
    const { finish: _, ...output } = generation_output;
    return {
      ...data,
      generated_answer: judgeRating(output.completion_message),
      expected_answer: data.expected_answer,
      generation_output: output,
    };
  }
}

/** As it is registered. */
export const judgeProcessor = { params, create: () => new JudgeProcessor() };

/** The rating of a judge's reply, `0` to `5`; the empty text for none, or one beyond the scale. */
export function judgeRating(reply: string): string {
  const rating = /Total rating: (\d+)/.exec(reply)?.[1];
  return rating !== undefined && Number(rating) <= 5 ? String(Number(rating)) : "";
}
