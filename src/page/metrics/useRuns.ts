import { useLayoutEffect, useState } from "preact/hooks";
import type { Run } from "../../api/runs.js";
import { ServiceProblem } from "../service/ask.js";
import { follow } from "../service/follow.js";
import { SETTLING, whenBack } from "../service/reach.js";
import { service } from "../service/service.js";
import { uncertainties } from "./columns.js";

/** Runs by name as they come, and what went wrong with the others. */
export interface LoadedRuns {
  readonly runs: ReadonlyMap<string, Run>;
  readonly problems: readonly Error[];
}

/** Which columns each run has, and what is in them; of its rows only the last. */
export function useHeads(ids: readonly string[]): LoadedRuns {
  return useLoaded(ids.join("\n"), ids, async (id, show, signal) => {
    show(await service.run(id, { last: 1 }, signal));
  });
}

/**
 * All rounds of some columns, and again with every new round of the runs that go on. Only these columns are asked for,
 * with those that say how uncertain they are.
 */
export function useColumns(heads: readonly Run[], columns: readonly string[]): LoadedRuns {
  const about = JSON.stringify([heads.map(({ run_id: id }) => id), columns]);
  return useLoaded(about, heads, async (head, show, signal) => {
    const wanted = ["round", ...withUncertainty(head.columns, columns)].join(",");
    const all = async () => await service.run(head.run_id, { columns: wanted }, signal);
    const run = await all();
    show(run);
    if (head.status !== "running") return;
    const path = `api/runs/${encodeURIComponent(head.run_id)}/live`;
    for await (const { event } of follow(path, { from: run.total, signal })) {
      if (event === "rows" || event === "run" || event === "end") show(await all());
    }
  });
}

type Load<T> = (one: T, show: (run: Run) => void, signal: AbortSignal) => Promise<void>;

/** Anew once a service that went away is back. @param about what decides whether to load anew */
function useLoaded<T>(about: string, wanted: readonly T[], load: Load<T>): LoadedRuns {
  const [loaded, setLoaded] = useState<LoadedRuns>({ runs: new Map(), problems: [] });
  const [returns, setReturns] = useState(0);
  useLayoutEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = async () => {
      await whenBack(stop.signal);
      if (!stop.signal.aborted) timer ??= setTimeout(() => setReturns((before) => before + 1), SETTLING);
    };
    // What was there stays until the new comes, so that charts do not vanish with every choice.
    setLoaded(({ runs }) => ({ runs, problems: [] }));
    const show = (run: Run) =>
      setLoaded((before) => ({ ...before, runs: new Map(before.runs).set(run.run_id, run) }));
    for (const one of wanted) {
      load(one, show, stop.signal).catch((error: unknown) => {
        if (stop.signal.aborted) return;
        const problem = error instanceof Error ? error : new Error(String(error));
        setLoaded((before) => ({ ...before, problems: [...before.problems, problem] }));
        if (problem instanceof ServiceProblem && problem.unreachable) void again();
      });
    }
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [about, returns]);
  return loaded;
}

function withUncertainty(all: readonly string[], chosen: readonly string[]): readonly string[] {
  const known = uncertainties(all);
  return chosen.flatMap((column) => {
    const how = known.get(column);
    if (how === undefined) return [column];
    return how.kind === "error" ? [column, how.error] : [column, how.low, how.high];
  });
}
