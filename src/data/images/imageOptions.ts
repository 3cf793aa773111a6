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

export const cifar100Options = z.looseObject({
  ...fetchKeys,
  label_mode: z.enum(["fine", "coarse"]).default("fine").meta({
    description: "The 100 classes, or the 20 that they belong to.",
  }),
});
