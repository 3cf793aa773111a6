import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { ServiceProblem } from "./ask.js";
import { SETTLING, whenBack } from "./reach.js";

/** How a question stands. While it is asked again the last reply stays. */
export interface Asked<T> {
  readonly value: T | undefined;
  readonly problem: Error | undefined;
  reload(): void;
}

/**
 * Asks when a view opens and whenever what it is about changes; anew once a service that went away is back.
 * @param about what the question depends on; another value forgets the reply
 * @param again after how many milliseconds to ask again; undefined for never. A hidden page does not ask.
 */
export function useReply<T>(
  load: (signal: AbortSignal) => Promise<T>,
  about: string,
  again?: (value: T) => number | undefined,
): Asked<T> {
  const [count, setCount] = useState(0);
  const [state, setState] = useState<{ about: string; value?: T; problem?: Error }>({ about });
  const latest = useRef({ load, again });
  latest.current = { load, again };
  // Not after the first picture: the request is under way while it is drawn.
  useLayoutEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const turn = async () => {
      let value: T | undefined;
      try {
        value = await latest.current.load(stop.signal);
        if (stop.signal.aborted) return;
        setState({ about, value });
      } catch (error) {
        if (stop.signal.aborted) return;
        const problem = error instanceof Error ? error : new Error(String(error));
        setState((before) => ({ ...(before.about === about ? before : { about }), problem }));
        if (problem instanceof ServiceProblem && problem.unreachable) {
          await whenBack(stop.signal);
          if (!stop.signal.aborted) timer = setTimeout(next, SETTLING);
        }
      }
      const wait = value === undefined ? undefined : latest.current.again?.(value);
      if (wait !== undefined) timer = setTimeout(next, wait);
    };
    const next = () => {
      if (!document.hidden) void turn();
      else document.addEventListener("visibilitychange", next, { once: true });
    };
    void turn();
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", next);
    };
  }, [about, count]);
  const current = state.about === about ? state : { about };
  return {
    value: "value" in current ? current.value : undefined,
    problem: "problem" in current ? current.problem : undefined,
    reload: () => setCount((before) => before + 1),
  };
}
