import { z } from "zod";
import { samplingParamsSchema } from "../../tasks/generators/samplingParams.js";

/** Where a round's model is evaluated, and by what. */
export const serviceOptions = z
  .strictObject({
    server: z.url({ protocol: /^https?$/, error: "expected an address as http://host:8321" }).meta({
      description: "Address of an `elenchus serve` that reads the same base folder.",
    }),
    token_variable: z
      .string()
      .regex(/^[A-Za-z_]\w*$/)
      .optional()
      .meta({ description: "Variable of the environment that holds the service's token; none when absent." }),
    benchmark: z.string().min(1).optional().meta({ description: "A benchmark that is registered there." }),
    dataset: z
      .string()
      .min(1)
      .optional()
      .meta({ description: "In place of a benchmark: a data set that is registered there." }),
    processor: z
      .string()
      .min(1)
      .optional()
      .meta({ description: "With a data set: what makes questions of its rows." }),
    scorers: z.array(z.string().min(1)).min(1).default(["accuracy"]).meta({
      description: "With a data set: scorers by name.",
    }),
    sampling: samplingParamsSchema
      .pick({ max_tokens: true, strategy: true, repetition_penalty: true, stop: true, seed: true })
      .prefault({})
      .meta({
        description: "How answers are sampled.",
      }),
    wait: z.boolean().default(true).meta({
      description:
        "Whether the round waits for the job. Else its status is `pending`, and the row is filled at the run's end or by `elenchus results collect RUN`.",
    }),
    poll: z
      .number()
      .positive()
      .default(2)
      .meta({ description: "How often the job is asked about.", unit: "s" }),
  })
  .refine(
    ({ benchmark, dataset, processor }) =>
      benchmark === undefined
        ? dataset !== undefined && processor !== undefined
        : dataset === undefined && processor === undefined,
    {
      error: "either a benchmark, or a dataset and a processor",
      path: ["benchmark"],
    },
  );

/** A table's options, and the common keys that the evaluator reads. */
export type ServiceConfig = Readonly<
  z.output<typeof serviceOptions> & {
    name?: string;
    limit?: number;
    timeout?: number;
    primary_metric?: string;
  }
> &
  Readonly<Record<string, unknown>>;
