import type { RunSummary } from "../../api/runs.js";

interface SideProps {
  readonly name: "A" | "B";
  /** `RUN` or `RUN@ROUND`. */
  readonly value: string;
  readonly runs: readonly RunSummary[];
  readonly choose: (side: string) => void;
}

/** A run, and a round of it; none for the last. */
export function SideChoice({ name, value, runs, choose }: SideProps) {
  const [, run = value, round = ""] = /^(.*)@(\d{1,9})$/s.exec(value) ?? [];
  const known = runs.some(({ run_id: id }) => id === run);
  const written = (id: string, number: string) => choose(number === "" ? id : `${id}@${number}`);
  return (
    <fieldset class="side">
      <legend>{name}</legend>
      <label class="field">
        Run
        <select value={run} onChange={(event) => written(event.currentTarget.value, "")}>
          <option value="">Choose a run …</option>
          {!known && run !== "" && <option value={run}>{run}</option>}
          {runs.map(({ run_id: id }) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </select>
      </label>
      <label class="field narrow">
        Round
        <input
          type="number"
          min="0"
          placeholder="last"
          value={round}
          disabled={run === ""}
          onChange={(event) => written(run, event.currentTarget.value.replace(/\D/g, ""))}
        />
      </label>
    </fieldset>
  );
}
