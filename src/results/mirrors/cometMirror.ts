import { z } from "zod";
import type { Mirror, MirroredRow, MirroredRun } from "./mirror.js";
import { anything, askJson } from "./request.js";

const created = z.object({ experimentKey: z.string() });

/** An experiment at Comet, by its REST interface v2: the project is the project, the group a tag. */
export class CometMirror implements Mirror {
  readonly name = "comet";
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #workspace: string;
  #experiment = "";

  constructor({ url, key, workspace }: { url: string; key: string; workspace: string }) {
    this.#url = `${url.replace(/\/+$/, "")}/api/rest/v2/write/experiment`;
    this.#headers = { authorization: key };
    this.#workspace = workspace;
  }

  async begin(run: MirroredRun, known: string | undefined): Promise<string> {
    if (known !== undefined) {
      this.#experiment = known;
      return known;
    }
    const body = { workspaceName: this.#workspace, projectName: run.project, experimentName: run.runId };
    this.#experiment = (await this.#post("create", body, created)).experimentKey;
    await this.#post("tags", { experimentKey: this.#experiment, addedTags: [run.group] }, anything);
    return this.#experiment;
  }

  async log({ round, scalars, time }: MirroredRow): Promise<void> {
    for (const [metricName, metricValue] of scalars) {
      const metric = { metricName, metricValue, step: round, timestamp: time };
      await this.#post("metric", { experimentKey: this.#experiment, ...metric }, anything);
    }
  }

  async end(): Promise<void> {
    const url = `${this.#url}/stop?experimentKey=${encodeURIComponent(this.#experiment)}`;
    await askJson({ url, headers: this.#headers }, anything);
  }

  #post<T>(path: string, body: object, answer: z.ZodType<T>): Promise<T> {
    return askJson({ url: `${this.#url}/${path}`, headers: this.#headers, body }, answer);
  }
}
