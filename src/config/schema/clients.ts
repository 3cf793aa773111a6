import { z } from "zod";
import "./documentation.js";
import { names } from "./names.js";

/** How the sleep of clients is distributed. */
const distributionSchema = z.discriminatedUnion("distribution", [
  z.strictObject({ distribution: z.literal("pareto"), alpha: z.number().positive().default(1) }),
  z.strictObject({
    distribution: z.literal("normal"),
    mean: z.number().nonnegative(),
    sd: z.number().nonnegative(),
  }),
  z.strictObject({ distribution: z.literal("zipf"), s: z.number().gt(1) }),
  z
    .strictObject({
      distribution: z.literal("uniform"),
      low: z.number().nonnegative(),
      high: z.number().nonnegative(),
    })
    .refine(({ low, high }) => low <= high, { error: "low at most high", path: ["low"] }),
]);

/** `[clients]`: the logical clients. */
export const clientsSchema = z.strictObject({
  type: z.string().min(1).default("simple").meta({ description: "Registered kind of client." }),
  total_clients: z.int().positive().meta({
    description: "Logical clients; each has its own partition and its own state.",
  }),
  per_round: z.int().positive().meta({
    description: "Logical clients selected in a round, at most `total_clients`.",
  }),
  do_test: z.boolean().default(false).meta({
    description: "Clients test their local model after training.",
  }),
  test_interval: z.int().positive().default(1).meta({
    description: "With `do_test`: test in rounds divisible by it.",
    unit: "rounds",
  }),
  comm_simulation: z.boolean().default(true).meta({
    description: "Accepted for Plato's sake, without effect: payloads travel over the socket.",
  }),
  outbound_processors: names().default([]).meta({
    description:
      "What is done with updates before they are sent, in this order: names of `elenchus list processors`, or Plato's. Options in `[parameters.processors.NAME]`.",
  }),
  inbound_processors: names().optional().meta({
    description:
      "What clients undo of `server.outbound_processors`: follows from it, and may be written out in the reverse order.",
  }),
  speed_simulation: z.boolean().default(false).meta({
    description:
      "Clients differ in speed: each logical client has a time of its own that it sleeps in every epoch.",
  }),
  simulation_distribution: distributionSchema.default({ distribution: "pareto", alpha: 1 }).meta({
    description:
      'How those times are distributed, in seconds: a table with `distribution` "pareto" (`alpha`), "normal" (`mean`, `sd`), "zipf" (`s`) or "uniform" (`low`, `high`).',
  }),
  max_sleep_time: z.number().positive().default(60).meta({
    description: "Longest of those times.",
    unit: "s",
  }),
  sleep_simulation: z.boolean().default(false).meta({
    description:
      "With `speed_simulation`: nobody sleeps; the reported training time becomes (`avg_training_time` + the client's time) x `trainer.epochs`.",
  }),
  avg_training_time: z.number().nonnegative().optional().meta({
    description: "Training time of an epoch without sleep, needed with `sleep_simulation`.",
    unit: "s",
  }),
  compute_comm_time: z.boolean().default(false).meta({
    description:
      "Communication times follow from the bytes sent and `server.downlink_bandwidth`, `server.uplink_bandwidth`.",
  }),
  random_seed: z.int().default(1).meta({
    description: "Seed of the times of `speed_simulation`. What clients draw follows `trainer.random_seed`.",
  }),
  tls_ca: z.string().min(1).optional().meta({
    description:
      "File with the certificates (PEM) by which clients judge the server's; those of the system when absent.",
  }),
});
