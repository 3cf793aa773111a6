import { availableParallelism } from "node:os";
import {
  entryFile,
  loadedModules,
  type RowOutcome,
  RowThreads,
  type RowThreadsOptions,
  thrownThere,
} from "../../base/index.js";
import type { Verdict } from "../judge/verdict.js";
import type { Scorer } from "../scorer.js";
import { isBuiltIn, scorers } from "../scorers.js";
import type { ScoringThreads } from "./scoringThreads.js";
import { threadedInterval } from "./threadedInterval.js";

/** Threads of one process, to be closed. */
export interface OpenedScoringThreads extends ScoringThreads {
  close(): Promise<void>;
}

/** Opens threads for scorers; none is started before it is needed. */
export function openScoringThreads(options: RowThreadsOptions): OpenedScoringThreads {
  const threads = new RowThreads(options);
  const work = (file: string, params: unknown, { modules = false, limits = true } = {}) =>
    threads.begin({ module: entryFile(import.meta.url, `./${file}`).href, params, modules }, limits);
  return {
    threads,
    logger: options.logger,
    rows(scorer, params) {
      const { name } = scorer;
      // A thread has what the program brings and what the user's modules register, and nothing else.
      const there =
        scorers.has(name) &&
        scorers.lookup(name) === scorer &&
        (isBuiltIn(scorer as Scorer) || loadedModules().length > 0);
      return there && isPlain(params) ? work("scorerRows", { name, params }, { modules: true }) : undefined;
    },
    verdicts(rules) {
      const rows = work("verdictRows", rules);
      return {
        read: async (text, signal) =>
          valueIn(await rows.do([{ row: text, index: 0 }], signal)[0]!) as Verdict,
        end: () => rows.end(),
      };
    },
    async interval(request, signal) {
      const rows = work("intervalRows", null, { limits: false });
      try {
        return await threadedInterval(
          request,
          async (part) => valueIn(await rows.do([{ row: part, index: 0 }], signal)[0]!) as never,
        );
      } finally {
        rows.end();
      }
    },
    close: () => threads.close(),
  };
}

/** How many threads there are where nobody says: one processor stays for whoever hands out the rows. */
export function usualThreads(): number {
  return Math.min(8, Math.max(1, availableParallelism() - 1));
}

/** @throws what became of it instead */
function valueIn(outcome: RowOutcome): unknown {
  if ("value" in outcome) return outcome.value;
  throw thrownThere(outcome.error);
}

/** Params of code may hold functions, which no thread can be sent. */
function isPlain(params: unknown): boolean {
  try {
    structuredClone(params);
    return true;
  } catch {
    return false;
  }
}
