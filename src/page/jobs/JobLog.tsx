import { useEffect, useRef, useState } from "preact/hooks";
import type { LogLine } from "../../api/jobs.js";
import { Problem } from "../parts/States.jsx";
import { shownClock } from "../parts/times.jsx";
import { follow } from "../service/follow.js";

/** Lines that are kept; the newest. */
const MOST = 2_000;

/** What a job says, as it says it. Whoever is at the end stays there. */
export function JobLog({ id }: { id: string }) {
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  const [ended, setEnded] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const stop = new AbortController();
    void (async () => {
      try {
        for await (const { event, data } of follow(`api/jobs/${encodeURIComponent(id)}/logs`, {
          from: 0,
          signal: stop.signal,
        })) {
          if (event === "log") {
            const line = JSON.parse(data) as LogLine;
            setLines((before) => [...before, line].slice(-MOST));
          } else if (event === "end") setEnded(true);
        }
      } catch (error) {
        if (!stop.signal.aborted) setProblem(error instanceof Error ? error : new Error(String(error)));
      }
    })();
    return () => stop.abort();
  }, [id]);
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const near = current.scrollHeight - current.scrollTop - current.clientHeight < 80;
    if (near) current.scrollTop = current.scrollHeight;
  }, [lines]);
  return (
    <section>
      <h2>Log</h2>
      {problem && <Problem problem={problem} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <section ref={box} class="block log" aria-label="Log of the job" tabIndex={0}>
        {lines.length === 0 && <p class="quiet">{ended ? "It has said nothing." : "Nothing yet."}</p>}
        {lines.map(({ index, time, message }) => (
          <div key={index} class="log-line">
            <time class="quiet" dateTime={time}>
              {shownClock(time)}
            </time>
            <span>{message}</span>
          </div>
        ))}
      </section>
    </section>
  );
}
