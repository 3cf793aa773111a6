import { z } from "zod";

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
  random_seed: z.int().default(1).meta({
    description:
      "Accepted for Plato's sake, without effect: it seeds simulated sleep. What clients draw follows `trainer.random_seed`.",
  }),
});
