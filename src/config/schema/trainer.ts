import { z } from "zod";
import "./documentation.js";

/** `[trainer]`: local training, the number of rounds and when to stop. */
export const trainerSchema = z.strictObject({
  type: z.string().min(1).meta({ description: "Registered trainer." }),
  backend: z.enum(["auto", "node-gpu", "node", "wasm", "cpu"]).default("auto").meta({
    description: "Compute back end of TensorFlow.js; `auto` takes the fastest that loads.",
  }),
  language_engine: z.enum(["auto", "onnx", "tensorflow"]).default("auto").meta({
    description:
      "What computes language models for evaluators: `onnx`, the optional onnxruntime-node; `tensorflow`; `auto` takes the first that is installed and knows the model.",
  }),
  language_threads: z.int().positive().default(1).meta({
    description: "Threads of `onnx`; more than one only where cores are free beside the clients' processes.",
  }),
  rounds: z.int().positive().meta({ description: "Rounds of the run." }),
  epochs: z.int().positive().meta({ description: "Passes of a client over its partition in a round." }),
  local_steps_per_round: z.int().positive().optional().meta({
    description:
      "Updates of the weights that a client makes in a round, over as many passes as they take, in the place of `epochs`.",
    unit: "updates",
  }),
  preserve_optimizer_state: z.boolean().default(false).meta({
    description:
      "Each logical client's optimizer goes on from its moments of the round before; else it begins anew in every one.",
  }),
  batch_size: z.int().positive().meta({ description: "Rows of a training step.", unit: "rows" }),
  optimizer: z.string().min(1).meta({
    description: "Registered optimizer; its options stand in `[parameters.optimizer]`.",
  }),
  lr_scheduler: z.string().min(1).optional().meta({
    description: "Registered learning-rate schedule; its options stand in `[parameters.learning_rate]`.",
  }),
  loss_criterion: z.string().min(1).default("CrossEntropyLoss").meta({
    description: "Registered loss; its options stand in `[parameters.loss_criterion]`.",
  }),
  model_name: z.string().min(1).meta({
    description: "Registered model; its options stand in `[parameters.model]`.",
  }),
  model_type: z.string().min(1).optional().meta({
    description: "Kind of model to build, where `model_name` names a variant of it.",
  }),
  trainable: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .optional()
    .meta({
      description:
        "Which weights train and travel, by name or module: `*` stands for any characters, `?` for one, a `!` in front excludes. All others stay as they are. Absent: all, or the adapters of `[parameters.lora]`.",
    }),
  model_revision: z.string().min(1).optional().meta({
    description: "Branch, tag or commit of a published model's repository; `main` when absent.",
  }),
  model_dtype: z
    .enum(["float32"])
    .default("float32")
    .meta({
      description: "Number format of a published model's weights in memory.",
      notYet: ["bfloat16", "float16", "auto"],
    }),
  bf16: mixedPrecision(),
  fp16: mixedPrecision(),
  gradient_accumulation_steps: z.int().positive().default(1).meta({
    description:
      "Batches whose gradients make one update; those of all their rows, or of all their tokens, count alike.",
    unit: "batches",
  }),
  gradient_checkpointing: z.boolean().default(false).meta({
    description: "Less memory for more time in training, where the model can do so.",
  }),
  clip_grad_norm: z.number().positive().optional().meta({
    description: "Gradients are shortened together where their norm is above it. Absent: never.",
  }),
  global_lr_scheduler: z.boolean().default(false).meta({
    description: "The learning-rate schedule runs over all rounds; else it begins anew in every one.",
  }),
  max_concurrency: z.int().positive().optional().meta({
    description:
      "Train in worker processes and launch at most so many clients. Absent: each client trains in its own process.",
  }),
  target_accuracy: z.number().optional().meta({
    description: "End the run when the test metric reaches it in the metric's direction.",
  }),
  target_perplexity: z.number().positive().optional().meta({
    description: "End the run when the test's perplexity is no higher.",
  }),
  random_seed: z.int().default(1).meta({
    description: "Seed of the initial weights, of shuffling and of evaluators.",
  }),
});

function mixedPrecision() {
  return z
    .literal(false)
    .default(false)
    .meta({
      description: "Mixed precision is not supported yet: all is computed in 32 bits.",
      notYet: [true],
    });
}
