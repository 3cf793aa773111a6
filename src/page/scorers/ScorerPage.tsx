import { useState } from "preact/hooks";
import type { Row } from "../../api/json.js";
import type { ScoringResult } from "../../api/scoring.js";
import { linkTo } from "../address.js";
import { parseParams, parseRows } from "../datasets/parseRows.js";
import { Figures } from "../jobs/Figures.jsx";
import { Heading } from "../parts/Heading.jsx";
import { RecordTable } from "../parts/RecordTable.jsx";
import { Problem } from "../parts/States.jsx";
import { service } from "../service/service.js";
import { useReply } from "../service/useReply.js";
import type { ViewProps } from "../viewProps.js";

const EXAMPLE = `{"input_query": "What is the capital of France?", "generated_answer": "Paris", "expected_answer": "Paris"}
{"input_query": "What is 2 + 2?", "generated_answer": "5", "expected_answer": "4"}`;

/** One scorer, to be tried on some rows. */
export function ScorerPage({ id }: ViewProps) {
  const asked = useReply(
    async (signal) =>
      (await service.scorers(signal)).data.find(({ identifier }) => identifier === id) ?? null,
    id,
  );
  const [text, setText] = useState(EXAMPLE);
  const [params, setParams] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const [scored, setScored] = useState<{ rows: readonly Row[]; result: ScoringResult }>();
  const score = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const rows = parseRows(text);
      const { results } = await service.score(rows, id, parseParams(params));
      const result = results[id];
      if (result === undefined) throw new Error("The reply has no result of this scorer.");
      setScored({ rows, result });
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Heading title={id}>
        <div class="tools">
          <a href={linkTo("scorers")}>All scorers</a>
        </div>
      </Heading>
      {asked.problem && <Problem problem={asked.problem} retry={asked.reload} />}
      {asked.value === null && <Problem problem={new Error("There is no such scorer.")} />}
      {asked.value && (
        <>
          <p class="lead">{asked.value.description ?? ""}</p>
          {asked.value.params !== null && (
            <details>
              <summary>Its params</summary>
              <pre class="block">{JSON.stringify(asked.value.params, null, 2)}</pre>
            </details>
          )}
        </>
      )}
      <form
        class="try"
        onSubmit={(event) => {
          event.preventDefault();
          void score();
        }}
      >
        <label class="field">
          Rows: an object on each line, or a JSON array
          <textarea
            rows={6}
            spellcheck={false}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          Params of this call: a JSON object, or nothing
          <textarea
            rows={2}
            spellcheck={false}
            value={params}
            onInput={(event) => setParams(event.currentTarget.value)}
          />
        </label>
        <div class="buttons">
          <button type="submit" class="primary" disabled={busy}>
            {busy ? "Scoring …" : "Score these rows"}
          </button>
        </div>
      </form>
      {problem && <Problem problem={problem} />}
      {scored !== undefined && (
        <div role="status" class="scored">
          <Figures result={scored.result.aggregated_results} />
          <h2>Rows</h2>
          <RecordTable
            rows={scored.result.score_rows.map((row, place) => ({ ...row, ...shortOf(scored.rows[place]) }))}
            first={0}
            label="Scored rows"
          />
        </div>
      )}
    </>
  );
}

/** What a row's score is looked at beside. */
function shortOf(row: Row | undefined): Row {
  const { generated_answer, expected_answer } = row ?? {};
  return { generated_answer, expected_answer };
}
