import { entryFile, isOnlyHere, loadedModules, type RowOutcome, thrownThere } from "../../base/index.js";
import type { ScorerRow, ScoringThreads } from "../../scoring/index.js";
import { builtInTasks } from "../benchmark/builtInTasks.js";
import { isTaskFile } from "../files/taskFile.js";
import type { BaseGeneratorProcessor } from "../processors/baseProcessor.js";
import { processors } from "../processors/processors.js";
import type { ProcessorSpec } from "./pipeline.js";

/** An answer to a row. */
export interface RowAnswer<Sample, Gen> {
  readonly gen: Gen;
  readonly sample: Sample;
  readonly index: number;
}

/** What scorers see, or what `postprocessSample` throws; ROW_TIMEOUT, ROW_TOO_LARGE, WORKER_DIED. */
export type ReadAnswer<In> = { readonly row: In } | { readonly fault: unknown };

/** Makes of answers what scorers see. To be ended. */
export interface AnswerReader<Sample, Gen, In> {
  /** @throws what is no fault of the row: as `RowsInThreads.do` for threads that do not work or are closed */
  read(answer: RowAnswer<Sample, Gen>, signal: AbortSignal): Promise<ReadAnswer<In>>;
  end(): void;
}

/** Reads answers by a processor: in threads where there are any and they can make the same one, else here. */
export function answerReader<Sample, Gen, In extends ScorerRow>(
  processor: Pick<BaseGeneratorProcessor<Sample, unknown, Gen, In>, "postprocessSample">,
  spec: ProcessorSpec | undefined,
  threads: ScoringThreads | undefined,
): AnswerReader<Sample, Gen, In> {
  const readHere = async ({ gen, sample, index }: RowAnswer<Sample, Gen>): Promise<ReadAnswer<In>> => {
    try {
      return { row: await processor.postprocessSample(gen, sample, index) };
    } catch (fault) {
      return { fault };
    }
  };
  if (spec === undefined || threads === undefined || !isThere(spec)) {
    return { read: readHere, end() {} };
  }
  const rows = threads.threads.begin({
    module: entryFile(import.meta.url, "./postprocessRows").href,
    params: { name: spec.name, params: spec.params ?? {} },
    modules: true,
  });
  return {
    async read(answer, signal) {
      const { gen, sample, index } = answer;
      let outcome: RowOutcome;
      try {
        outcome = await rows.do([{ row: { gen, sample }, index }], signal)[0]!;
      } catch (error) {
        if (!isOnlyHere(error)) throw error;
        return await readHere(answer);
      }
      if ("value" in outcome) return { row: outcome.value as In };
      return { fault: thrownThere(outcome.error) };
    },
    end: () => rows.end(),
  };
}

/** What came with the program is in every thread, and so is what modules register; what code registers is only here. */
function isThere({ name, entry }: ProcessorSpec): boolean {
  return BUILT_IN.has(entry) || loadedModules().length > 0 || isTaskFile(name.split("|")[0]!);
}

const BUILT_IN: ReadonlySet<object> = new Set<object>([
  ...processors.registeredNames().map((name) => processors.lookup(name)),
  ...builtInTasks,
]);
