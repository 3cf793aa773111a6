import { readFile } from "node:fs/promises";
import { z } from "zod";
import { ElenchusError, messageOf, writeAtomic } from "../../base/index.js";

/** Everything that decides the answers of a file, as plain JSON. */
export type GenerationArgs = Readonly<Record<string, string | number | boolean | null>>;

/** How far a file of answers is. */
export interface GenerationStatus {
  readonly status: "in progress" | "complete";
  /** Rows of the file when it is complete, and those it has. */
  readonly rows: number;
  readonly answered: number;
  /** Questions that the model was asked for it. */
  readonly calls: number;
}

const statusSchema = z.looseObject({
  args: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  status: z.looseObject({
    status: z.enum(["in progress", "complete"]),
    rows: z.int(),
    answered: z.int(),
    calls: z.int(),
  }),
});

/** What stands beside a file of answers: how it was made, and how far it is. */
export interface StatusFile {
  readonly args: GenerationArgs;
  readonly status: GenerationStatus;
}

/** Undefined where there is none. @throws RECORD_CORRUPT */
export async function readStatus(path: string): Promise<StatusFile | undefined> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return statusSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new ElenchusError(
      "RECORD_CORRUPT",
      `${path} does not say how the answers beside it were made: ${messageOf(error)}. Remove the folder to begin anew.`,
      { cause: error },
    );
  }
}

/** @throws PATH_UNWRITABLE */
export async function writeStatus(path: string, { args, status }: StatusFile): Promise<void> {
  try {
    await writeAtomic(path, `${JSON.stringify({ args, status }, null, 4)}\n`);
  } catch (error) {
    throw new ElenchusError("PATH_UNWRITABLE", `${path} cannot be written: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

/** @throws RESUME_REFUSED naming what differs, and both values */
export function requireSameArgs(path: string, before: GenerationArgs, now: GenerationArgs): void {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const differing = keys.filter((key) => (before[key] ?? null) !== (now[key] ?? null));
  if (differing.length === 0) return;
  const told = differing.map(
    (key) => `${key} was ${JSON.stringify(before[key] ?? null)} and is ${JSON.stringify(now[key] ?? null)}`,
  );
  throw new ElenchusError(
    "RESUME_REFUSED",
    `The answers beside ${path} were made otherwise: ${told.join("; ")}. Set it back to go on with them, or write to another folder.`,
    { details: { keys: differing } },
  );
}
