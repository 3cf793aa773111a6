import { createHash } from "node:crypto";
import type { RowScore, ScorerRow, ScoringSurroundings } from "../../scoring/index.js";
import type { LabelledScorer, ScorerOutcome } from "./pipeline.js";
import { StageCursor } from "./stages/stageCursor.js";
import type { StageStore } from "./stages/stageStore.js";

/** What is scored, and where it is kept. */
export interface ScoreRequest extends ScoringSurroundings {
  readonly scorer: LabelledScorer;
  readonly stages: StageStore;
  /** Whether a row belongs to this evaluation: the stages may hold more. */
  readonly takes: (index: number) => boolean;
  readonly signal?: AbortSignal | undefined;
  done(index: number): void;
}

/**
 * Has a scorer judge the postprocessed rows. Rows that it has judged before with the same params are not judged again;
 * those it could not judge are.
 * @throws as `Scorer.score`; what the stages throw; the signal's reason
 */
export async function scoreRows(request: ScoreRequest): Promise<ScorerOutcome> {
  const { scorer: labelled, stages, signal, judges, threads, logger } = request;
  const { label, scorer, params } = labelled;
  const stage = scoredStage(labelled);
  const places: number[] = [];
  const known = new Map<number, RowScore>();
  const rows = rowsToJudge(request, stage, { places, known });
  const scoring = scorer.score(rows, params, signal, {
    judges,
    threads,
    logger,
    known: (place) => {
      const found = known.get(place);
      known.delete(place);
      return found;
    },
  });
  let judged = 0;
  let unjudged = 0;
  for await (const result of scoring.rows) {
    const index = places[result.index]!;
    // One at its place stays: it is the same.
    if (result.error === undefined) await stages.append(stage, index, { ...result, index });
    else await stages.append(`unscored:${stage.slice("scored:".length)}`, index, { ...result, index });
    if (result.error === undefined) judged += 1;
    else unjudged += 1;
    request.done(index);
  }
  return {
    label,
    name: scorer.name,
    metrics: scoring.metrics(),
    details: scoring.details(),
    aggregated: scoring.aggregated(),
    judged,
    unjudged,
    stage,
  };
}

/** Where the rows of a scorer are kept: other params are another place. */
export function scoredStage({ label, scorer, params }: LabelledScorer): `scored:${string}` {
  const digest = createHash("sha256").update(JSON.stringify([scorer.name, params ?? {}]));
  return `scored:${label}:${digest.digest("hex").slice(0, 8)}`;
}

async function* rowsToJudge(
  { stages, takes }: ScoreRequest,
  stage: `scored:${string}`,
  { places, known }: { places: number[]; known: Map<number, RowScore> },
): AsyncGenerator<ScorerRow> {
  const scored = new StageCursor(stages, stage);
  for await (const { index, row } of stages.rows("postprocessed")) {
    if (!takes(index)) continue;
    const found = (await scored.at(index)) as RowScore | undefined;
    const place = places.push(index) - 1;
    if (found !== undefined) known.set(place, { ...found, index: place });
    yield row as ScorerRow;
  }
}
