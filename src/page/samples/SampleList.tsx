import { useState } from "preact/hooks";
import { counted } from "../parts/numbers.js";
import { holdsWords, SearchBox } from "../parts/SearchBox.jsx";
import { Empty, Loading, Problem } from "../parts/States.jsx";
import { SampleLine } from "./SampleLine.jsx";
import { type Sample, type SamplesOf, useSamples } from "./useSamples.js";

interface ListProps {
  readonly run: string;
  readonly which: SamplesOf;
  /** Another metric decides what went wrong. */
  readonly choose: (metric: string) => void;
}

/** Samples of a task: those that went wrong, then the others, a page at a time. */
export function SampleList({ run, which, choose }: ListProps) {
  const { failed, passed, totals, metric, metrics, busy, problem, more } = useSamples(run, which);
  const [find, setFind] = useState("");
  const match = ({ prompt, answer, gold }: Sample) => holdsWords(`${prompt} ${answer} ${gold}`, find);
  const left = totals === undefined ? 0 : totals.failed + totals.passed - failed.length - passed.length;
  return (
    <>
      <div class="tools">
        <SearchBox label="Find in loaded samples" value={find} onChange={setFind} />
        {metrics.length > 1 && (
          <label class="inline">
            Scored by{" "}
            <select value={metric ?? ""} onChange={(event) => choose(event.currentTarget.value)}>
              {metrics.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        {totals && (
          <span class="quiet" role="status">
            {counted(totals.failed, "failure")}, {counted(totals.passed, "other")}
          </span>
        )}
      </div>
      {problem && <Problem problem={problem} retry={more} />}
      {totals === undefined && busy && <Loading what="samples" />}
      {totals !== undefined && (
        <Group title="Failures" samples={failed.filter(match)} total={totals.failed} />
      )}
      {passed.length > 0 && (
        <Group title="Others" samples={passed.filter(match)} total={totals?.passed ?? 0} />
      )}
      {left > 0 && (
        <div class="buttons">
          <button type="button" disabled={busy} onClick={more}>
            {busy ? "Loading …" : `Load more (${left} left)`}
          </button>
        </div>
      )}
    </>
  );
}

function Group({ title, samples, total }: { title: string; samples: readonly Sample[]; total: number }) {
  return (
    <section>
      <h2>
        {title} <span class="quiet">{total}</span>
      </h2>
      {samples.length === 0 && <Empty title={total === 0 ? "None." : "None of the loaded ones matches."} />}
      {samples.length > 0 && (
        <ul class="samples">
          {samples.map((sample) => (
            <SampleLine
              key={`${sample.evaluator}/${sample.task}/${sample.doc}`}
              sample={sample}
              failed={title === "Failures"}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
