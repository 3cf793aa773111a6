import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { runRoutes } from "../../../api/index.js";
import { sampleFiles } from "../../../results/index.js";
import { comparison } from "../../runs/comparison.js";
import { tellLiveRows } from "../../runs/liveRows.js";
import { RecordReader } from "../../runs/recordReader.js";
import { runSummary, runView } from "../../runs/runView.js";
import { samplePage } from "../../runs/samplePage.js";
import { answer, answerEvents } from "../answer.js";
import { LAST_EVENT } from "../eventStream.js";
import type { ServiceContext } from "../serviceContext.js";

/** Runs of the federation, as they are recorded. */
export function addRunRoutes(app: FastifyInstance, { settings, logger }: ServiceContext): void {
  const reader = new RecordReader(settings.paths.results);

  answer(app, runRoutes.list, async () => {
    const data = [];
    for (const runId of await reader.ids()) {
      try {
        data.push(runSummary(await reader.read(runId)));
      } catch (error) {
        // One damaged record must not hide the others.
        logger.warn(`The run "${runId}" cannot be shown: ${String(error)}`);
      }
    }
    return {
      data: data.sort((a, b) => compare(b.start ?? "", a.start ?? "") || compare(b.run_id, a.run_id)),
    };
  });
  answer(app, runRoutes.get, async ({ params, query, request, reply }) => {
    const read = await reader.read(params.run_id);
    const asked = createHash("sha256").update(JSON.stringify(query)).digest("base64url").slice(0, 16);
    const tag = `"${read.version}-${asked}"`;
    reply.header("etag", tag).header("cache-control", "private, no-cache");
    if (request.headers["if-none-match"] === tag) return reply.code(304).send();
    return runView(read, query);
  });
  answerEvents(app, runRoutes.live, async ({ params, query, signal, request }, stream) => {
    // Columns may have grown since a client was cut off, so it gets the document anew.
    const from = request.headers[LAST_EVENT] === undefined ? query.from : undefined;
    await tellLiveRows(reader, params.run_id, from, { stream, signal });
  });
  answer(app, runRoutes.sampleFiles, async ({ params }) => {
    const { run } = await reader.read(params.run_id);
    const files = await sampleFiles(run.paths.samples);
    return { data: files.map(({ round, evaluator, task }) => ({ round, evaluator, task })) };
  });
  answer(app, runRoutes.samples, async ({ params, query }) =>
    samplePage((await reader.read(params.run_id)).run, query),
  );
  answer(app, runRoutes.compare, async ({ query }) => comparison(reader, query));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
