import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { createRegistry, ElenchusError, type Registry } from "../../../src/base/index.js";
import { defineJobKind, type JobKind } from "../../../src/service/jobs/index.js";

const paramsSchema = z.object({
  rows: z.int().min(0),
  /** Milliseconds for each row. */
  each: z.number().default(0),
  /** A file that gets a line for every row that is begun. */
  begun: z.string().optional(),
  /** The row that fails. */
  bad: z.int().optional(),
  /** Whether it does not listen when it is told to stop. */
  deaf: z.boolean().default(false),
});

/** Kinds of jobs for tests: `rows` squares the indexes of its rows, slowly where it is told to. */
export function testJobKinds(): Registry<JobKind> {
  const kinds = createRegistry<JobKind>("job kind");
  kinds.register(
    "rows",
    defineJobKind({
      params: paramsSchema,
      run: async ({ params, stages, signal, progress, log }) => {
        let sum = 0;
        progress(0, params.rows);
        for (let index = 0; index < params.rows; index++) {
          if (!(await stages.has("squared", index))) {
            if (params.begun !== undefined) appendFileSync(params.begun, `${index}\n`);
            await pause(params.each, undefined, params.deaf ? {} : { signal });
            if (index === params.bad) throw new ElenchusError("ROW_INVALID", `Row ${index} is bad.`);
            await stages.append("squared", index, { square: index * index });
            log(`row ${index}`);
          }
          progress(index + 1, params.rows);
        }
        for await (const { row } of stages.rows("squared")) sum += (row as { square: number }).square;
        return { sum };
      },
    }),
  );
  return kinds;
}
