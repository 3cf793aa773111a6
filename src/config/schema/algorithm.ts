import { z } from "zod";

/** `[algorithm]`: how updates become the next model. */
export const algorithmSchema = z.strictObject({
  type: z.string().min(1).meta({ description: "Registered federated algorithm." }),
});
