import type { Fault } from "./fault.js";
import { benchmarks } from "./faults/benchmarks.js";
import { comparison } from "./faults/comparison.js";
import { data } from "./faults/data.js";
import { evaluation } from "./faults/evaluation.js";
import { federation } from "./faults/federation.js";
import { foundations } from "./faults/foundations.js";
import { inference } from "./faults/inference.js";
import { jobs } from "./faults/jobs.js";
import { learning } from "./faults/learning.js";
import { page } from "./faults/page.js";
import { payloads } from "./faults/payloads.js";
import { pipeline } from "./faults/pipeline.js";
import { recipes } from "./faults/recipes.js";
import { records } from "./faults/records.js";
import { scoring } from "./faults/scoring.js";
import { service } from "./faults/service.js";

/** All faults, each under a name of its own. */
export const faults: readonly Fault[] = [
  ...foundations,
  ...learning,
  ...data,
  ...recipes,
  ...inference,
  ...evaluation,
  ...benchmarks,
  ...pipeline,
  ...comparison,
  ...federation,
  ...payloads,
  ...scoring,
  ...service,
  ...page,
  ...records,
  ...jobs,
];
