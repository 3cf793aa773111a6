import { useLayoutEffect, useState } from "preact/hooks";
import type { Run } from "../../api/runs.js";
import { follow } from "../service/follow.js";
import { service } from "../service/service.js";
import { uncertainties } from "./columns.js";

/** What has come of several runs. */
export interface LoadedRuns {
  /** By run, without rows: which columns there are. */
  readonly heads: ReadonlyMap<string, Run>;
  /** By run, the chosen columns of all rounds. */
  readonly runs: ReadonlyMap<string, Run>;
  readonly problems: readonly Error[];
}

/**
 * Some columns of some runs, and again with every new round of those that go on. Only these columns are asked for, with
 * those that say how uncertain they are.
 * @param choose of all columns there are, those that are wanted
 */
export function useRuns(
  ids: readonly string[],
  wanted: string,
  choose: (columns: readonly string[]) => readonly string[],
): LoadedRuns {
  const [loaded, setLoaded] = useState<LoadedRuns>(NONE);
  const key = ids.join("\n");
  useLayoutEffect(() => {
    const stop = new AbortController();
    setLoaded((before) => ({ ...before, runs: new Map(), problems: [] }));
    const fail = (error: unknown) => {
      if (stop.signal.aborted) return;
      const problem = error instanceof Error ? error : new Error(String(error));
      setLoaded((before) => ({ ...before, problems: [...before.problems, problem] }));
    };
    const show = (head: Run | undefined, run: Run) =>
      setLoaded((before) => ({
        ...before,
        heads: head === undefined ? before.heads : new Map(before.heads).set(run.run_id, head),
        runs: new Map(before.runs).set(run.run_id, run),
      }));
    for (const id of ids) void loadRun(id, { choose, show, signal: stop.signal }).catch(fail);
    return () => stop.abort();
  }, [key, wanted]);
  return loaded;
}

const NONE: LoadedRuns = { heads: new Map(), runs: new Map(), problems: [] };

interface Loading {
  readonly choose: (columns: readonly string[]) => readonly string[];
  readonly show: (head: Run | undefined, run: Run) => void;
  readonly signal: AbortSignal;
}

async function loadRun(id: string, { choose, show, signal }: Loading): Promise<void> {
  const head = await service.run(id, { last: 1 }, signal);
  const columns = withUncertainty(head.columns, choose(head.columns));
  const whole = async () => await service.run(id, { columns: ["round", ...columns].join(",") }, signal);
  let run = await whole();
  show(head, run);
  if (head.status !== "running") return;
  const path = `api/runs/${encodeURIComponent(id)}/live`;
  for await (const { event } of follow(path, { from: run.total, signal })) {
    if (event !== "rows" && event !== "run" && event !== "end") continue;
    run = await whole();
    show(undefined, run);
  }
}

function withUncertainty(all: readonly string[], chosen: readonly string[]): readonly string[] {
  const known = uncertainties(all);
  return chosen.flatMap((column) => {
    const how = known.get(column);
    if (how === undefined) return [column];
    return how.kind === "error" ? [column, how.error] : [column, how.low, how.high];
  });
}
