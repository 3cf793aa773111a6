import { route } from "../route.js";
import {
  registerScoringFnSchema,
  scoreBatchReplySchema,
  scoreBatchRequestSchema,
  scoreReplySchema,
  scoreRequestSchema,
  scoringFnListSchema,
  scoringFnSchema,
} from "../scoring.js";

const group = "scoring";

/** Scoring functions, and rows judged by them. */
export const scoringRoutes = {
  listFunctions: route({
    method: "GET",
    path: "/v1/scoring-functions",
    scope: "read",
    group,
    summary: "All scoring functions: scorers, and those registered here",
    reply: scoringFnListSchema,
  }),
  getFunction: route({
    method: "GET",
    path: "/v1/scoring-functions/{scoring_fn_id:path}",
    scope: "read",
    group,
    summary: "One scoring function",
    reply: scoringFnSchema,
  }),
  registerFunction: route({
    method: "POST",
    path: "/v1/scoring-functions",
    scope: "write",
    group,
    summary: "Name a scorer with params of its own",
    body: registerScoringFnSchema,
  }),
  removeFunction: route({
    method: "DELETE",
    path: "/v1/scoring-functions/{scoring_fn_id:path}",
    scope: "write",
    group,
    summary: "Forget a scoring function that was registered here",
  }),
  score: route({
    method: "POST",
    path: "/v1/scoring/score",
    scope: "run",
    group,
    summary: "Judge the rows of the request",
    body: scoreRequestSchema,
    reply: scoreReplySchema,
  }),
  scoreBatch: route({
    method: "POST",
    path: "/v1/scoring/score-batch",
    scope: "run",
    group,
    summary: "Judge the rows of a data set",
    body: scoreBatchRequestSchema,
    reply: scoreBatchReplySchema,
  }),
} as const;
