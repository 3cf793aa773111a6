import { z } from "zod";
import type { Catalog } from "../../../src/config/index.js";

/** A small catalog of one or two entries of each kind. */
export function smallCatalog(changes: Partial<Catalog> = {}): Catalog {
  const named = (...names: string[]) =>
    names.map((name) => ({ name, description: `the ${name} of the tests` }));
  return {
    evaluators: [
      ...named("free"),
      {
        name: "scored",
        description: "declares all it can",
        options: z.strictObject({
          top_k: z.int().positive().default(5),
          mode: z.enum(["fast", "full"]).optional(),
        }),
        metrics: { score: { higherIsBetter: true }, loss: { higherIsBetter: false } },
        primaryMetric: "score",
      },
      { name: "undecided", description: "", metrics: { score: { higherIsBetter: true } } },
      { name: "undirected", description: "", metrics: { score: {} as { higherIsBetter: boolean } } },
    ],
    datasources: [{ ...named("digits")[0]!, facts: { trainRows: 1437, testRows: 360, classes: 10 } }],
    samplers: [
      ...named("iid"),
      {
        name: "mixed",
        description: "",
        options: z.looseObject({ non_iid_clients: z.int().positive(), partition_size: z.int().positive() }),
      },
    ],
    models: named("lenet5", "multilayer"),
    algorithms: named("fedavg"),
    trainers: named("basic", "own"),
    servers: named("fedavg"),
    clients: named("simple"),
    optimizers: [
      {
        ...named("SGD")[0]!,
        options: z.strictObject({ lr: z.number().positive(), momentum: z.number().default(0) }),
      },
      ...named("Adam"),
    ],
    schedulers: named("StepLR"),
    losses: named("CrossEntropyLoss"),
    resultItems: named("round", "accuracy", "elapsed_time", "train_loss"),
    ...changes,
  };
}

/** A configuration without a fault; `more` is appended, so it may begin with keys of `[algorithm]`. */
export function validToml(more = ""): string {
  return `[clients]
total_clients = 10
per_round = 4
[data]
datasource = "digits"
sampler = "iid"
[trainer]
type = "basic"
model_name = "lenet5"
rounds = 2
epochs = 1
batch_size = 32
optimizer = "SGD"
[parameters.optimizer]
lr = 0.05
[algorithm]
type = "fedavg"
${more}`;
}

/** The line of `validToml` that holds a text, from 1. */
export function lineOf(toml: string, text: string): number {
  return toml.split("\n").findIndex((line) => line.includes(text)) + 1;
}
