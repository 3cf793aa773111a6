import { z } from "zod";
import { ElenchusError, optionFaults } from "../base/index.js";

/** Of `TextOptions`, `LogLikelihoodOptions` and `GenerationOptions`, what is not left to those who use it. */
const schema = z.object({
  bos: z.enum(["tokenizer", "always", "never"]).optional(),
  specialTokens: z.enum(["parse", "text"]).optional(),
  maxLength: z.int().positive().optional(),
  boundary: z.enum(["joint", "separate"]).optional(),
  moveSpace: z.boolean().optional(),
  givesWay: z.enum(["prompt", "answer"]).optional(),
  truncation: z.enum(["left", "right", "refuse"]).optional(),
});

/** A word that is none of those known would pass for the default. @throws CONFIG_VALUE naming every such option */
export function requireOptions(options: object): void {
  const { error } = schema.safeParse(options);
  if (error === undefined) return;
  throw new ElenchusError(
    "CONFIG_VALUE",
    `The options of this request cannot be followed: ${optionFaults(error, options).join("; ")}.`,
  );
}
