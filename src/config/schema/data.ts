import { z } from "zod";
import "./documentation.js";

/** `[data]`: the data set and how it is divided. */
export const dataSchema = z.strictObject({
  datasource: z.string().min(1).meta({ description: "Registered data source." }),
  data_path: z.string().min(1).default("data").meta({
    description: "Folder of data sets, under `general.base_path`.",
  }),
  sampler: z.string().min(1).meta({ description: "Registered rule that divides the rows among clients." }),
  testset_sampler: z.string().min(1).optional().meta({
    description:
      "Sampler that divides the test set among the clients for their own tests; every client tests on the same rows when absent.",
  }),
  testset_size: z.int().positive().optional().meta({
    description: "Rows of the server's test set: a seeded sample. All when absent.",
    unit: "rows",
  }),
  partition_size: z.int().positive().optional().meta({
    description: "Rows of each client. Samplers that divide by size need it.",
    unit: "rows",
  }),
  testset_partition_size: z.int().positive().optional().meta({
    description:
      "With `testset_sampler`: rows of each client's part of the test set; `partition_size` when absent. Keep it below the rows that the test set has of a class, for a client whose classes run out goes on with others.",
    unit: "rows",
  }),
  concentration: z.number().positive().default(1).meta({
    description: "Of the Dirichlet distribution of class shares: smaller is more skewed.",
  }),
  reload_data: z.boolean().optional().meta({
    description: "Accepted without effect: every process loads its rows once, for all logical clients.",
  }),
  random_horizontal_flip: z.boolean().default(false).meta({
    description:
      "Of images, in training alone: each is mirrored, left and right, with probability 1/2, anew in every epoch.",
  }),
  random_crop: z.int().min(0).default(0).meta({
    description:
      "Of images, in training alone: each is made larger by so many black pixels on every side, and a part of its old size is cut out of it anywhere, anew in every epoch. 0: not at all.",
    unit: "pixels",
  }),
  random_seed: z.int().default(1).meta({ description: "Seed of the partition." }),
});
