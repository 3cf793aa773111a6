import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { type Row, scoringRoutes } from "../../../api/index.js";
import { ElenchusError } from "../../../base/index.js";
import { scoreAll } from "../../scoring/scoringResult.js";
import { judgesOf } from "../../serviceJobKinds.js";
import { answer } from "../answer.js";
import type { ServiceContext } from "../serviceContext.js";

/** Scoring functions, and rows that are judged while the client waits. */
export function addScoringRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { functions, datasets, models, threads, settings, logger } = context;
  const most = settings.service.max_request_rows;
  const around = (signal: AbortSignal) => ({ judges: judgesOf(models), threads, logger, signal });

  answer(app, scoringRoutes.listFunctions, async () => ({ data: await functions.list() }));
  answer(app, scoringRoutes.getFunction, async ({ params }) => functions.get(params.scoring_fn_id));
  answer(app, scoringRoutes.registerFunction, async ({ body }) => {
    await functions.register(body);
    return undefined;
  });
  answer(app, scoringRoutes.removeFunction, async ({ params }) => {
    await functions.remove(params.scoring_fn_id);
    return undefined;
  });
  answer(app, scoringRoutes.score, async ({ body, signal }) => {
    requireFew(body.input_rows.length, most);
    const chosen = await functions.choose(body.scoring_functions);
    return { results: await scoreAll(body.input_rows, chosen, around(signal)) };
  });
  answer(app, scoringRoutes.scoreBatch, async ({ body, signal }) => {
    const chosen = await functions.choose(body.scoring_functions);
    const page = await datasets.page(body.dataset_id, 0, most, signal);
    if (page.more) requireFew(most + 1, most);
    const results = await scoreAll(page.rows, chosen, around(signal));
    if (!body.save_results_dataset) return { dataset_id: null, results };
    const rows = page.rows.map((row, place): Row => {
      const scores = Object.entries(results).map(
        ([name, { score_rows: all }]) => [name, all[place]] as const,
      );
      return { ...row, scores: Object.fromEntries(scores) };
    });
    const { identifier } = await datasets.register({
      purpose: "eval/question-answer",
      source: { type: "rows", rows },
      dataset_id: `${body.dataset_id}-scores-${randomBytes(4).toString("hex")}`.slice(-200),
      metadata: { scored: body.dataset_id, scoring_functions: Object.keys(body.scoring_functions) },
    });
    return { dataset_id: identifier, results };
  });
}

/** @throws LIMIT_EXCEEDED */
export function requireFew(count: number, most: number): void {
  if (count <= most) return;
  throw new ElenchusError(
    "LIMIT_EXCEEDED",
    `These are more than ${most} rows, the most that one request is answered about (service.max_request_rows). Register them as a data set and ask for a job.`,
    { details: { param: "input_rows" } },
  );
}
