import { useEffect, useRef, useState } from "preact/hooks";
import type { Samples } from "../../api/runs.js";
import { service } from "../service/service.js";

export type Sample = Samples["samples"][number];

/** Which samples of a run. */
export interface SamplesOf {
  readonly round: number;
  readonly task: string;
  readonly evaluator: string;
  readonly metric: string | undefined;
}

/** What has been loaded so far. */
export interface LoadedSamples {
  readonly failed: readonly Sample[];
  readonly passed: readonly Sample[];
  readonly totals: { readonly failed: number; readonly passed: number } | undefined;
  readonly metric: string | null;
  readonly metrics: readonly string[];
  readonly busy: boolean;
  readonly problem: Error | undefined;
}

/** Samples that are loaded at a time. */
const PAGE = 30;
const NONE: LoadedSamples = {
  ...{ failed: [], passed: [], totals: undefined, metric: null, metrics: [], busy: true, problem: undefined },
};

/** Samples page by page: all that went wrong, then the others. */
export function useSamples(run: string, which: SamplesOf): LoadedSamples & { more: () => void } {
  const [loaded, setLoaded] = useState<LoadedSamples>(NONE);
  const stop = useRef(new AbortController());
  const load = async (before: LoadedSamples) => {
    const { signal } = stop.current;
    setLoaded({ ...before, busy: true, problem: undefined });
    try {
      const found = await nextSamples(run, which, before, signal);
      if (!signal.aborted) setLoaded({ ...found, busy: false, problem: undefined });
    } catch (error) {
      if (signal.aborted) return;
      const problem = error instanceof Error ? error : new Error(String(error));
      setLoaded({ ...before, busy: false, problem });
    }
  };
  useEffect(() => {
    void load(NONE);
    return () => stop.current.abort();
  }, []);
  return { ...loaded, more: () => void load(loaded) };
}

async function nextSamples(
  run: string,
  which: SamplesOf,
  before: LoadedSamples,
  signal: AbortSignal,
): Promise<LoadedSamples> {
  const { failed, passed, totals } = before;
  const ask = (kind: "failures" | "passes", offset: number) =>
    service.samples(run, { ...which, [kind]: true, offset, limit: PAGE }, signal);
  if (totals === undefined) {
    const [wrong, right] = [await ask("failures", 0), await ask("passes", 0)];
    return {
      ...before,
      failed: wrong.samples,
      // The others come behind the last failure.
      passed: wrong.samples.length < wrong.total ? [] : right.samples,
      totals: { failed: wrong.total, passed: right.total },
      metric: wrong.metric ?? right.metric,
      metrics: wrong.metrics.length > 0 ? wrong.metrics : right.metrics,
    };
  }
  if (failed.length < totals.failed) {
    const { samples } = await ask("failures", failed.length);
    return { ...before, failed: [...failed, ...samples] };
  }
  const { samples } = await ask("passes", passed.length);
  return { ...before, passed: [...passed, ...samples] };
}
