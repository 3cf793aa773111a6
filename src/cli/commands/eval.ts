import { type Command, InvalidArgumentError, Option } from "commander";
import { type JobDetails, type JobReply, jobRoutes, seedRoutes } from "../../api/index.js";
import { ElenchusError } from "../../base/index.js";
import { type CommonOptions, positiveNumber, wholeNumber } from "../commonOptions.js";
import { followJob, requireCompleted } from "../followJob.js";
import type { Output } from "../output.js";
import { addServerOption, type ServerOption, serviceClientOf } from "../serviceClient.js";
import { shortNumber, textTable } from "../table.js";

interface RunOptions extends ServerOption {
  readonly model: string;
  readonly dataset: string;
  readonly processor: string;
  readonly scorer: readonly string[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly limit?: number;
  readonly sample?: number;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly detach?: boolean;
}

interface ScoreOptions extends ServerOption {
  readonly dataset?: string;
  readonly job?: string;
  readonly scorer: readonly string[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly limit?: number;
  readonly detach?: boolean;
}

/** `elenchus eval run|score|jobs|logs|cancel`: evaluations of a service. */
export function addEvalCommand(program: Command, output: Output, setExit: (status: number) => void): void {
  const group = program
    .command("eval")
    .description("evaluations of a service: run, score, jobs, logs, cancel");
  const json = () => program.opts<CommonOptions>().json === true;
  const say = (reply: unknown, text: string) =>
    output.stdout(json() ? `${JSON.stringify(reply)}\n` : `${text}\n`);
  /** The job's end, unless the caller does not wait for it. */
  const finish = async (
    own: ServerOption & { readonly detach?: boolean },
    job: JobDetails,
  ): Promise<void> => {
    if (own.detach) {
      say(job, job.job_id);
      return;
    }
    const done = await followJob(serviceClientOf(own), job.job_id, { output, quiet: json(), setExit });
    if (done === undefined) return;
    say(done, done.status === "completed" ? figures(done) : jobTable([done]));
    requireCompleted(done);
  };

  const run = group
    .command("run")
    .description("have a model answer a data set's rows, and score the answers");
  addScorerOptions(addServerOption(run))
    .requiredOption("--model <reference>", "a name of GET /v1/models, URL#MODEL, a folder, or RUN@ROUND")
    .requiredOption(
      "--dataset <name>",
      "a registered data set; of a benchmark task its own name: its own rows",
    )
    .requiredOption("--processor <name>", "of `elenchus list processors`, or a task such as harness:arc_easy")
    .option("--limit <n>", "at most so many rows", positiveNumber)
    .option("--sample <seed>", "with --limit: a seeded sample instead of the first rows", wholeNumber)
    .option("--max-tokens <n>", "most tokens of an answer", positiveNumber)
    .option("--temperature <t>", "above 0: draw instead of the most likely token", temperature)
    .option("--detach", "print the job's id and do not wait for it")
    .action(async (own: RunOptions) => {
      const strategy =
        own.temperature === undefined || own.temperature === 0
          ? { type: "greedy" as const }
          : { type: "top_p" as const, temperature: own.temperature, top_p: 1 };
      const eval_task_config = {
        dataset_config: {
          dataset_identifier: own.dataset,
          row_limit: own.limit,
          ...(own.sample !== undefined && { kwargs: { seed: own.sample } }),
        },
        processor_config: { processor_identifier: own.processor },
        generation_config: {
          model: own.model,
          sampling_params: { strategy, ...(own.maxTokens !== undefined && { max_tokens: own.maxTokens }) },
        },
        scoring_config: {
          scorer_config_list: own.scorer.map((scorer_name) => ({
            scorer_name,
            params: paramsFor(own, scorer_name),
          })),
        },
      };
      const { job } = await serviceClientOf(own).call(seedRoutes.createJob, { body: { eval_task_config } });
      await finish(own, job!);
    });

  const score = group
    .command("score")
    .description("judge prepared rows, or the answers that a job has stored");
  addScorerOptions(addServerOption(score))
    .option("--dataset <name>", "a registered data set whose rows have their answers")
    .option("--job <id>", "an evaluation that has ended: its answers are scored anew")
    .option("--limit <n>", "with --dataset: only the first rows", positiveNumber)
    .option("--detach", "print the job's id and do not wait for it")
    .action(async (own: ScoreOptions) => {
      const client = serviceClientOf(own);
      const scoring_functions = Object.fromEntries(own.scorer.map((name) => [name, paramsFor(own, name)]));
      if ((own.dataset === undefined) === (own.job === undefined)) {
        throw new ElenchusError("USAGE", "Say what to score: --dataset NAME, or --job ID.");
      }
      const job =
        own.job === undefined
          ? await client.call(jobRoutes.scoreDataset, {
              body: { dataset_id: own.dataset!, scoring_functions, row_limit: own.limit },
            })
          : await client.call(jobRoutes.score, { params: { job_id: own.job }, body: { scoring_functions } });
      await finish(own, job);
    });

  addServerOption(group.command("jobs").description("list jobs, or show one").argument("[job]")).action(
    async (id: string | undefined, own: ServerOption) => {
      const client = serviceClientOf(own);
      if (id !== undefined) {
        const reply = await client.call(seedRoutes.jobStatus, { query: { job_id: id } });
        say(reply, `${jobTable([reply.job!])}\n${figures(reply.job!)}`.trimEnd());
        return;
      }
      const reply = await client.call(seedRoutes.listJobs, {});
      say(reply, jobTable(reply.data));
    },
  );

  addServerOption(group.command("logs").description("follow a job's log to its end").argument("<job>"))
    .option("--from <n>", "only from this line on", wholeNumber)
    .action(async (id: string, own: ServerOption & { readonly from?: number }) => {
      const lines: unknown[] = [];
      const done = await followJob(serviceClientOf(own), id, {
        output,
        quiet: false,
        setExit,
        from: own.from ?? 0,
        line: (line) => (json() ? void lines.push(line) : output.stdout(`${line.time} ${line.message}\n`)),
      });
      if (json()) output.stdout(`${JSON.stringify({ lines, job: done ?? null })}\n`);
    });

  addServerOption(group.command("cancel").description("cancel a job").argument("<job>")).action(
    async (id: string, own: ServerOption) => {
      const reply = await serviceClientOf(own).call(seedRoutes.cancelJob, { body: { job_id: id } });
      say(reply, reply.msg);
    },
  );
}

function addScorerOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--scorer <name[,name]>", "which scorers; `elenchus list scorers` shows them")
        .argParser((text: string) => text.split(",").map((name) => name.trim()))
        .default(["accuracy"], "accuracy"),
    )
    .addOption(
      new Option("--params <json>", "the scorer's params; with several scorers an object by scorer name")
        .argParser(jsonObject)
        .default({}, "{}"),
    );
}

/** One scorer gets the params as they are; of several each its own. */
function paramsFor(
  { scorer, params }: Pick<RunOptions, "scorer" | "params">,
  name: string,
): Record<string, unknown> | null {
  const own = scorer.length === 1 ? params : Object.hasOwn(params, name) ? params[name] : undefined;
  return typeof own === "object" && own !== null && Object.keys(own).length > 0
    ? (own as Record<string, unknown>)
    : null;
}

function jobTable(jobs: readonly JobReply[]): string {
  const rows = jobs.map(({ job_id, kind, status, progress, created_at, error }) => [
    job_id,
    kind,
    status,
    progress.total === null ? String(progress.done) : `${progress.done}/${progress.total}`,
    created_at.slice(0, 19),
    error === null ? "" : `${error.code}: ${error.message}`.slice(0, 80),
  ]);
  return textTable(["job", "kind", "status", "done", "created", "error"], rows);
}

function figures({ result }: JobDetails): string {
  const { metrics } = (result ?? {}) as { metrics?: Record<string, number | null> };
  if (metrics === undefined) return "";
  const rows = Object.entries(metrics).map(([name, value]) => [
    name,
    value === null ? "" : shortNumber(value),
  ]);
  return textTable(["metric", "value"], rows);
}

function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError(`expected a JSON object, found ${text}.`);
}

function temperature(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw new InvalidArgumentError(`expected a number of at least 0, found ${JSON.stringify(text)}.`);
}
