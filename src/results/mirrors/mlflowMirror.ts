import { z } from "zod";
import type { RunStatus } from "../manifest.js";
import type { Mirror, MirroredRow, MirroredRun } from "./mirror.js";
import { anything, askJson, StatusError } from "./request.js";

const experiment = z.object({ experiment: z.object({ experiment_id: z.string() }) });
const newExperiment = z.object({ experiment_id: z.string() });
const newRun = z.object({ run: z.object({ info: z.object({ run_id: z.string() }) }) });

const STATUS = { completed: "FINISHED", failed: "FAILED", interrupted: "KILLED" } as const;

/** A run on an MLflow tracking server, by its REST interface 2.0: the project is the experiment, the group a tag. */
export class MlflowMirror implements Mirror {
  readonly name = "mlflow";
  readonly #url: string;
  readonly #headers: Record<string, string>;
  #run = "";

  /**
   * @param url of the tracking server
   * @param token sent as a bearer, where the server wants one
   */
  constructor(url: string, token?: string) {
    this.#url = `${url.replace(/\/+$/, "")}/api/2.0/mlflow`;
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  async begin(run: MirroredRun, known: string | undefined): Promise<string> {
    if (known !== undefined) {
      this.#run = known;
      await this.#post("runs/update", { run_id: known, status: "RUNNING" }, anything);
      return known;
    }
    const body = {
      experiment_id: await this.#experiment(run.project),
      run_name: run.runId,
      start_time: run.time,
      tags: [{ key: "group", value: run.group }],
    };
    this.#run = (await this.#post("runs/create", body, newRun)).run.info.run_id;
    return this.#run;
  }

  async log({ round, scalars, time }: MirroredRow): Promise<void> {
    const metrics = [...scalars].map(([key, value]) => ({ key, value, timestamp: time, step: round }));
    // More than a thousand at once are refused.
    for (let start = 0; start < metrics.length; start += 1000) {
      const body = { run_id: this.#run, metrics: metrics.slice(start, start + 1000) };
      await this.#post("runs/log-batch", body, anything);
    }
  }

  async end(status: Exclude<RunStatus, "running">, time: number): Promise<void> {
    await this.#post("runs/update", { run_id: this.#run, status: STATUS[status], end_time: time }, anything);
  }

  async #experiment(name: string): Promise<string> {
    const url = `${this.#url}/experiments/get-by-name?experiment_name=${encodeURIComponent(name)}`;
    try {
      return (await askJson({ url, headers: this.#headers }, experiment)).experiment.experiment_id;
    } catch (error) {
      if (!(error instanceof StatusError) || error.status !== 404) throw error;
      return (await this.#post("experiments/create", { name }, newExperiment)).experiment_id;
    }
  }

  #post<T>(path: string, body: object, answer: z.ZodType<T>): Promise<T> {
    return askJson({ url: `${this.#url}/${path}`, headers: this.#headers, body }, answer);
  }
}
