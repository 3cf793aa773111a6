import { z } from "zod";

/** A comma-separated string or a list of names, each once; always a list afterwards. */
export function names() {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given) =>
      (typeof given === "string" ? given.split(",") : given)
        .map((name) => name.trim())
        .filter((name) => name !== ""),
    )
    .refine((list) => new Set(list).size === list.length, { error: "each name once" });
}
