import { changeParams, linkTo } from "../address.js";
import { Heading } from "../parts/Heading.jsx";
import { Empty, Loading, Problem } from "../parts/States.jsx";
import { service } from "../service/service.js";
import { useReply } from "../service/useReply.js";
import { SampleChoice } from "./SampleChoice.jsx";
import { SampleList } from "./SampleList.jsx";

/** What examples were asked, answered and scored, those that went wrong first. */
export function SamplesPage({ params }: { params: URLSearchParams }) {
  const run = params.get("run") ?? "";
  const runs = useReply((signal) => service.runs(signal), "runs");
  const files = useReply(
    async (signal) => (run === "" ? [] : (await service.sampleFiles(run, signal)).data),
    run,
  );
  const rounds = [...new Set(files.value?.map(({ round }) => round))].sort((a, b) => b - a);
  const named = params.get("round");
  const round = named === null ? rounds[0] : Number(named);
  const inRound = files.value?.filter((file) => file.round === round) ?? [];
  const task = params.get("task") ?? inRound[0]?.task;
  const evaluator = params.get("evaluator") ?? inRound.find((file) => file.task === task)?.evaluator;
  return (
    <>
      <Heading title="Samples" />
      <SampleChoice
        runs={runs.value?.data.map(({ run_id: id }) => id) ?? []}
        {...{ run, round, rounds, task, evaluator, files: inRound }}
      />
      {runs.problem && <Problem problem={runs.problem} retry={runs.reload} />}
      {files.problem && <Problem problem={files.problem} retry={files.reload} />}
      {run === "" && <Empty title="Choose the run whose samples to see." />}
      {run !== "" && files.value === undefined && !files.problem && <Loading what="samples" />}
      {run !== "" && files.value?.length === 0 && (
        <Empty title="This run has logged no samples.">
          <p>
            Evaluators log them with <code>log_samples = true</code> in their table.{" "}
            <a href={linkTo("runs", run)}>Its rows</a>
          </p>
        </Empty>
      )}
      {task !== undefined && round !== undefined && evaluator !== undefined && (
        <SampleList
          key={`${run}\n${round}\n${task}\n${evaluator}\n${params.get("metric") ?? ""}`}
          run={run}
          which={{ round, task, evaluator, metric: params.get("metric") ?? undefined }}
          choose={(metric) => changeParams({ metric })}
        />
      )}
    </>
  );
}
