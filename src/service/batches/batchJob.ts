import { z } from "zod";
import {
  BATCH_ENDPOINTS,
  type BatchError,
  chatRequestSchema,
  completionRequestSchema,
} from "../../api/index.js";
import { ElenchusError, messageOf } from "../../base/index.js";
import type { CompletionSurroundings } from "../completions/completeText.js";
import type { FileStore } from "../files/fileStore.js";
import type { JobStages, JobWork } from "../jobs/index.js";
import { completionsOf, type ModelPool } from "../serving/modelPool.js";
import { type BatchRequest, readBatchLine } from "./batchLine.js";

/** What a job of kind `batch` is asked for. */
export const batchParamsSchema = z.object({
  input_file_id: z.string(),
  endpoint: z.enum(BATCH_ENDPOINTS),
  completion_window: z.string(),
  metadata: z.record(z.string(), z.string()).nullable(),
});

export type BatchParams = z.output<typeof batchParamsSchema>;

/** Where the answers of a batch lie, and the failures. */
export const BATCH_STAGES = { answered: "answered", failed: "failed" } as const;

/** What a batch came to: with errors nothing was asked at all. */
export const batchResultSchema = z.object({
  errors: z.array(
    z.object({
      code: z.string(),
      message: z.string(),
      line: z.number().nullable(),
      param: z.string().nullable(),
    }),
  ),
});

/** What batches work with. */
export interface BatchMeans {
  readonly files: FileStore;
  readonly models: ModelPool;
  readonly maxRequests: number;
  readonly maxNewTokens: number;
}

/** Requests under way at a time; a model of this machine answers one after the other. */
const AT_ONCE = 10;
/** Errors that are told, of a file that is wrong from beginning to end. */
const MOST_ERRORS = 1000;

/** The files of a batch: its id says theirs, so that they are found whatever became of the job. */
export function batchFileIds(batch: string): { readonly output: string; readonly errors: string } {
  return { output: `file-${batch}-output`, errors: `file-${batch}-errors` };
}

/**
 * Answers every request of a file. The whole file is checked first; what is wrong with any line ends the batch before
 * a model is asked. Answers are kept one by one: taken up again, it goes on behind them, and cancelled it keeps them.
 */
export async function runBatch(
  work: JobWork<BatchParams>,
  means: BatchMeans,
): Promise<z.output<typeof batchResultSchema>> {
  const { params, signal, stages } = work;
  const { errors, total } = await checkedFile(params, means, signal);
  if (errors.length > 0) {
    work.log(`${errors.length} lines cannot be understood; nothing was asked`);
    return { errors };
  }
  let done = 0;
  const step = () => work.progress(++done, total);
  const underWay = new Set<Promise<void>>();
  try {
    for await (const { number, text } of means.files.lines(params.input_file_id)) {
      if (text.trim() === "") continue;
      signal.throwIfAborted();
      if (
        (await stages.has(BATCH_STAGES.answered, number)) ||
        (await stages.has(BATCH_STAGES.failed, number))
      ) {
        step();
        continue;
      }
      const line = readBatchLine(text, number, params.endpoint);
      if (!("request" in line)) continue;
      const one = answerOne(work, means, line.request, number).then(step);
      const tracked: Promise<void> = one.finally(() => underWay.delete(tracked));
      // Thrown where it is waited for.
      tracked.catch(() => {});
      underWay.add(tracked);
      if (underWay.size >= AT_ONCE) await Promise.race(underWay);
    }
    await Promise.all(underWay);
  } finally {
    await Promise.allSettled(underWay);
    // Of a batch that another worker has by now, that one writes the files.
    if (signal.reason !== "lost") await writeFiles(work.id, stages, means.files);
  }
  return { errors: [] };
}

async function checkedFile(
  { input_file_id: input, endpoint }: BatchParams,
  { files, models, maxRequests }: BatchMeans,
  signal: AbortSignal,
): Promise<{ errors: BatchError[]; total: number }> {
  const errors: BatchError[] = [];
  const ids = new Set<string>();
  const known = new Map<string, string | null>();
  let total = 0;
  for await (const { number, text } of files.lines(input)) {
    signal.throwIfAborted();
    if (text.trim() === "") continue;
    if (++total > maxRequests) {
      errors.push(error("invalid_request", `More than ${maxRequests} requests.`, number, null));
      break;
    }
    const line = readBatchLine(text, number, endpoint);
    if ("faults" in line) errors.push(...line.faults);
    else {
      const { customId, model } = line.request;
      if (ids.has(customId)) {
        errors.push(
          error(
            "invalid_request",
            `custom_id ${JSON.stringify(customId)} stands here twice.`,
            number,
            "custom_id",
          ),
        );
      }
      ids.add(customId);
      if (!known.has(model)) known.set(model, await whyNot(models, model));
      const why = known.get(model)!;
      if (why !== null) errors.push(error("model_not_found", why, number, "body.model"));
    }
    if (errors.length >= MOST_ERRORS) break;
  }
  if (total === 0) errors.push(error("invalid_request", "The file has no requests.", null, "input_file_id"));
  return { errors, total };
}

/** Why a model cannot be had; null where it can. */
async function whyNot(models: ModelPool, model: string): Promise<string | null> {
  try {
    await models.find(model);
    return null;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

async function answerOne(
  { id, params, signal, stages }: JobWork<BatchParams>,
  means: BatchMeans,
  { customId, model, body }: BatchRequest,
  line: number,
): Promise<void> {
  const surroundings: CompletionSurroundings = {
    signal,
    maxNewTokens: means.maxNewTokens,
    now: Math.floor(Date.now() / 1000),
  };
  const place = { id: `batch_req_${id}_${line}`, custom_id: customId };
  try {
    const answer = await means.models.use(model, signal, async (_, opened) =>
      params.endpoint === "/v1/completions"
        ? await completionsOf(opened).text(completionRequestSchema.parse(body), surroundings)
        : await completionsOf(opened).chat(chatRequestSchema.parse(body), surroundings),
    );
    const response = { status_code: 200, request_id: answer.id, body: answer };
    await stages.append(BATCH_STAGES.answered, line, { ...place, response, error: null });
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof ElenchusError && thrown.code === "STORAGE_FAILED") throw thrown;
    const code = thrown instanceof ElenchusError ? thrown.code : "INTERNAL";
    await stages.append(BATCH_STAGES.failed, line, {
      ...place,
      response: null,
      error: { type: "request_failed", code, message: messageOf(thrown) },
    });
  }
}

/** A line for each answer, a line for each failure; a file without lines is not made. */
async function writeFiles(batch: string, stages: JobStages, files: FileStore): Promise<void> {
  const ids = batchFileIds(batch);
  const all = [
    { stage: BATCH_STAGES.answered, id: ids.output, filename: `${batch}_output.jsonl` },
    { stage: BATCH_STAGES.failed, id: ids.errors, filename: `${batch}_error.jsonl` },
  ];
  for (const { stage, id, filename } of all) {
    const [first] = await firstOf(stages.rows(stage));
    if (first === undefined) continue;
    await files.add(linesOf(stages.rows(stage)), { id, filename, purpose: "batch_output" });
  }
}

async function* linesOf(rows: AsyncIterable<{ readonly row: unknown }>): AsyncGenerator<Uint8Array> {
  for await (const { row } of rows) yield Buffer.from(`${JSON.stringify(row)}\n`);
}

async function firstOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  for await (const item of items) return [item];
  return [];
}

function error(code: string, message: string, line: number | null, param: string | null): BatchError {
  return { code, message, line, param };
}
