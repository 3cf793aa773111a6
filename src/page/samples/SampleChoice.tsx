import { changeParams } from "../address.js";

interface ChoiceProps {
  readonly runs: readonly string[];
  readonly run: string;
  readonly round: number | undefined;
  readonly rounds: readonly number[];
  readonly task: string | undefined;
  readonly evaluator: string | undefined;
  /** Of the chosen round. */
  readonly files: readonly { readonly evaluator: string; readonly task: string }[];
}

/** Run, round and task. Whoever chooses one forgets what was chosen below it. */
export function SampleChoice({ runs, run, round, rounds, task, evaluator, files }: ChoiceProps) {
  const below = { task: null, evaluator: null, metric: null };
  const chosen = files.findIndex((file) => file.task === task && file.evaluator === evaluator);
  const several = new Set(files.map((file) => file.evaluator)).size > 1;
  return (
    <div class="tools choosers">
      <label class="field">
        Run
        <select
          value={run}
          onChange={(event) => changeParams({ run: event.currentTarget.value, round: null, ...below })}
        >
          <option value="">Choose a run …</option>
          {(runs.includes(run) || run === "" ? runs : [run, ...runs]).map((id) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </select>
      </label>
      <label class="field narrow">
        Round
        <select
          value={round ?? ""}
          disabled={rounds.length === 0}
          onChange={(event) => changeParams({ round: event.currentTarget.value, ...below })}
        >
          {rounds.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        Task
        <select
          value={chosen}
          disabled={files.length === 0}
          onChange={(event) => {
            const file = files[Number(event.currentTarget.value)];
            if (file !== undefined) changeParams({ ...file, metric: null });
          }}
        >
          {files.map((file, place) => (
            <option key={`${file.evaluator}/${file.task}`} value={place}>
              {several ? `${file.task} (${file.evaluator})` : file.task}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
