import { z } from "zod";
import { fetchKeys } from "../files/sourceFile.js";

/** Keys of `[data]` that sources of images read whose files may be fetched. */
export const imageOptions = z.looseObject(fetchKeys);

export const emnistOptions = z.looseObject({
  ...fetchKeys,
  split: z.enum(["balanced", "byclass", "bymerge", "letters", "digits", "mnist"]).default("balanced").meta({
    description: "Which of EMNIST's six divisions.",
  }),
});

/** Data sets of torchvision that there are here too. */
const imageSet = z.enum(["MNIST", "FashionMNIST", "EMNIST", "CIFAR10", "CIFAR100"]);

/** One of them. */
export type ImageSet = z.output<typeof imageSet>;

export const torchvisionOptions = z.looseObject({
  ...fetchKeys,
  dataset_name: imageSet.meta({ description: "Which data set of torchvision." }),
  dataset_kwargs: z
    .strictObject({ split: z.string().optional() })
    .default({})
    .meta({ description: "`split`, of EMNIST." }),
  download: z.boolean().default(true).meta({
    description: "Whether files may be fetched that are not in `data_path`.",
  }),
});

export const cifar100Options = z.looseObject({
  ...fetchKeys,
  label_mode: z.enum(["fine", "coarse"]).default("fine").meta({
    description: "The 100 classes, or the 20 that they belong to.",
  }),
});
