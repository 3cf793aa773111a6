import { open } from "node:fs/promises";
import { z } from "zod";

/** Whose samples a file has. */
export type SampleOwner = z.output<typeof ownerSchema>;

const ownerSchema = z.object({ evaluator: z.string(), task: z.string() });

/** Whose samples a file has, as its first line says; null where there is no such file, or it is none of samples. */
export async function firstSample(path: string): Promise<SampleOwner | null> {
  const file = await open(path, "r").catch(() => null);
  if (file === null) return null;
  try {
    for await (const line of file.readLines({ autoClose: false })) return ownerSchema.parse(JSON.parse(line));
  } catch {
    // What cannot be read is no file of samples, and may be replaced.
  } finally {
    await file.close();
  }
  return null;
}
