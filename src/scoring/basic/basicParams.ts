import { z } from "zod";
import { aggregationParams } from "../aggregation/namedAggregations.js";

/** Params of Llama Stack's basic functions: their type, and how scores are gathered. */
export const basicParams = { type: z.literal("basic").optional(), ...aggregationParams };

/** Params of its functions that pick an answer out of a text. */
export const regexParams = { type: z.literal("regex_parser").optional(), ...aggregationParams };
