import { z } from "zod";
import { aggregationParams, NamedAggregations } from "../aggregation/namedAggregations.js";
import { ANSWER_COLUMNS, textOf, textsOf } from "../columns.js";
import { defineScorer } from "../defineScorer.js";
import { parsers } from "../parsers/parsers.js";
import { alikeText } from "./alikeText.js";

const flag = z.boolean().default(false);

/** Equality of what a parser picks out of the answer and the expected texts, after both are made alike. */
export const exactMatchScorer = defineScorer({
  name: "exact_match",
  description: "1 where the answer, parsed and made alike, equals expected_answer or one of a list",
  columns: ANSWER_COLUMNS,
  params: z.strictObject({
    ...aggregationParams,
    /** What picks the answer out of its text; `elenchus list parsers` shows them. Default: all of it. */
    parser: z
      .string()
      .refine((name) => parsers.has(name), "expected a name of `elenchus list parsers`")
      .optional(),
    ignore_case: flag,
    ignore_punctuation: flag,
    ignore_articles: flag,
    ignore_space: z.boolean().default(true),
  }),
  judge(row, params) {
    const text = textOf(row, "generated_answer");
    const expected = textsOf(row, "expected_answer");
    const parsed = params.parser === undefined ? text : parsers.lookup(params.parser).parse(text, row);
    if (parsed === null) return { score: 0, metadata: { parsed } };
    const answer = alikeText(parsed, params);
    const score = Number(expected.some((one) => alikeText(one, params) === answer));
    return params.parser === undefined ? { score } : { score, metadata: { parsed } };
  },
  aggregation: (params) => new NamedAggregations(params, ["accuracy"]),
});
