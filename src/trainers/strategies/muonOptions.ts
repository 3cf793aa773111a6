import { z } from "zod";

const rate = (byDefault: number, description: string) =>
  z.number().positive().default(byDefault).meta({ description });

/** `[parameters.optimizer]` of `Muon`. Names and defaults are nanochat's. */
export const muonOptions = z.strictObject({
  lr: rate(
    0.02,
    "Learning rate of the matrices of the blocks; times the root of outputs / inputs where above 1.",
  ),
  momentum: z
    .number()
    .min(0)
    .lt(1)
    .default(0.95)
    .meta({ description: "Decay of the running mean of the gradient, in Nesterov's form." }),
  beta2: z.number().min(0).lt(1).default(0.9).meta({
    description: "Decay of the running mean square of a matrix's rows or columns.",
  }),
  ns_steps: z.int().min(1).max(5).default(5).meta({ description: "Steps of the orthogonalisation." }),
  weight_decay: z.number().nonnegative().default(0).meta({
    description:
      "Shrinks a matrix's numbers by so much times the learning rate where the step makes them smaller anyway.",
  }),
  embedding_lr: rate(
    0.2,
    "AdamW's learning rate of the tables of embeddings, for a width of 768; it goes with width^-0.5.",
  ),
  unembedding_lr: rate(0.004, "That of the head, and of norms and biases; it goes with width^-0.5."),
  scalar_lr: rate(0.5, "That of the shares of first embeddings; of the residual shares a hundredth."),
  smear_lr: rate(0.2, "That of smear and backout."),
});

export type MuonOptions = z.output<typeof muonOptions>;

const momentum = (byDefault: number, description: string) =>
  z.number().min(0).lt(1).default(byDefault).meta({ description });

/** `[parameters.learning_rate]` of `nanochat`. */
export const nanochatScheduleOptions = z.strictObject({
  warmup_steps: z.int().nonnegative().default(40).meta({
    description: "Updates in which the learning rate rises in a straight line.",
    unit: "updates",
  }),
  warmdown_ratio: z.number().min(0).max(1).default(0.65).meta({
    description: "Share of all updates, the last ones, in which it falls in a straight line.",
  }),
  final_lr_frac: z.number().min(0).max(1).default(0.05).meta({
    description: "What it falls to, as a share of itself.",
  }),
  momentum_start: momentum(0.85, "Muon's momentum at the beginning."),
  momentum_peak: momentum(0.97, "Muon's momentum once it is warm."),
  momentum_end: momentum(0.9, "Muon's momentum after the fall."),
  momentum_warmup_steps: z.int().nonnegative().default(400).meta({
    description: "Updates in which Muon's momentum rises in a straight line.",
    unit: "updates",
  }),
});

export type NanochatScheduleOptions = z.output<typeof nanochatScheduleOptions>;
