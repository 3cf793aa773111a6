import type { ComparisonReply } from "../../api/runs.js";
import { linkTo } from "../address.js";
import { shownNumber, signed } from "../parts/numbers.js";
import { IntervalBar } from "./IntervalBar.jsx";

interface DifferencesProps {
  readonly samples: ComparisonReply["samples"];
  readonly confidence: number;
  readonly a: ComparisonReply["a"];
  readonly b: ComparisonReply["b"];
}

/** Tasks whose samples both sides have logged, pair by pair: the difference, and where it may truly lie. */
export function SampleDifferences({ samples, confidence, b }: DifferencesProps) {
  const widest = Math.max(
    ...samples.map(({ difference, ci_low: low, ci_high: high }) =>
      Math.max(Math.abs(difference), Math.abs(low ?? 0), Math.abs(high ?? 0)),
    ),
  );
  const percent = `${+(confidence * 100).toFixed(2)} %`;
  return (
    <section>
      <h2>Sample by sample</h2>
      <div class="card-table">
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Task</th>
              <th scope="col">Metric</th>
              <th scope="col" class="number">
                A
              </th>
              <th scope="col" class="number">
                B
              </th>
              <th scope="col" class="number">
                Difference
              </th>
              <th scope="col">{percent} interval</th>
              <th scope="col" class="number">
                p
              </th>
              <th scope="col" class="number">
                Questions
              </th>
            </tr>
          </thead>
          <tbody>
            {samples.map((one) => (
              <tr key={`${one.evaluator}/${one.task}/${one.metric}`}>
                <td class="main-cell">
                  <a
                    data-row
                    href={linkTo("samples", undefined, {
                      ...{ run: b.run_id, round: b.round, task: one.task },
                      ...{ evaluator: one.evaluator, metric: one.metric },
                    })}
                  >
                    {one.task}
                  </a>
                </td>
                <td data-label="Metric">{one.metric}</td>
                <td class="number" data-label="A">
                  {shownNumber(one.a)}
                </td>
                <td class="number" data-label="B">
                  {shownNumber(one.b)}
                </td>
                <td class="number" data-label="Difference">
                  {signed(one.difference)}
                </td>
                <td data-label={`${percent} interval`}>
                  <IntervalBar value={one.difference} low={one.ci_low} high={one.ci_high} widest={widest} />
                </td>
                <td class="number" data-label="p">
                  {one.p_value === null ? "–" : one.p_value < 0.0001 ? "< 0.0001" : one.p_value.toFixed(4)}
                </td>
                <td class="number" data-label="Questions">
                  {one.questions}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
