import { once } from "node:events";
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createLogger, manualClock, silentLogger } from "../../src/base/index.js";
import { resultsSchema } from "../../src/config/schema/results.js";
import { type Mirror, mirrorsOf, RunRecord } from "../../src/results/index.js";
import { crc32c } from "../../src/results/mirrors/eventFile.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("mirrors");
interface Asked {
  readonly path: string;
  readonly key: string | undefined;
  readonly body: Record<string, unknown>;
}
let server: Server;
let url: string;
let asked: Asked[];
/** Status and answer by the end of a path. */
let answers: Record<string, readonly [number, object]>;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const path = request.url!;
    asked.push({ path, key: request.headers.authorization, body: text === "" ? {} : JSON.parse(text) });
    const found = Object.keys(answers).find((end) => path.split("?")[0]!.endsWith(end));
    const [status, answer] = found === undefined ? [200, {}] : answers[found]!;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  asked = [];
  answers = {
    "get-by-name": [404, { error_code: "RESOURCE_DOES_NOT_EXIST" }],
    "experiments/create": [200, { experiment_id: "7" }],
    "runs/create": [200, { run: { info: { run_id: "r1" } } }],
    "experiment/create": [200, { experimentKey: "k1" }],
  };
});

const chosen = (results: object, environment: Record<string, string> = {}, logger = silentLogger) =>
  mirrorsOf(resultsSchema.parse(results), environment, logger);

/** A run of one row: accuracy 0.5, and a loss that does not exist. */
async function record(mirrors: readonly Mirror[], logger = silentLogger) {
  const options = {
    resultPath: await mkdtemp(join(folder, "run-")),
    runId: "run",
    types: "round, accuracy, train_loss",
    project: "digits",
    group: "first",
    mirrors,
    logger,
    clock: manualClock(1_700_000_000_000),
  };
  const opened = await RunRecord.create(options);
  const items = { round: 1, accuracy: 0.5, train_loss: null };
  await opened.append({ round: 1, items, evaluations: [], clients: [] });
  await opened.finish("completed");
  return options;
}

describe("MLflow", () => {
  test("gets a run in the project's experiment, a metric for each number, and the end", async () => {
    await record(chosen({ mirrors: ["mlflow"], mlflow_url: `${url}/` }, { MLFLOW_TRACKING_TOKEN: "t" }));
    const api = "/api/2.0/mlflow";
    expect(asked).toEqual([
      { path: `${api}/experiments/get-by-name?experiment_name=digits`, key: "Bearer t", body: {} },
      { path: `${api}/experiments/create`, key: "Bearer t", body: { name: "digits" } },
      {
        path: `${api}/runs/create`,
        key: "Bearer t",
        body: {
          experiment_id: "7",
          run_name: "run",
          start_time: 1_700_000_000_000,
          tags: [{ key: "group", value: "first" }],
        },
      },
      {
        path: `${api}/runs/log-batch`,
        key: "Bearer t",
        body: {
          run_id: "r1",
          metrics: [{ key: "accuracy", value: 0.5, timestamp: 1_700_000_000_000, step: 1 }],
        },
      },
      {
        path: `${api}/runs/update`,
        key: "Bearer t",
        body: { run_id: "r1", status: "FINISHED", end_time: 1_700_000_000_000 },
      },
    ]);
  });

  test("gets what follows of a run that goes on in the same run", async () => {
    answers["get-by-name"] = [200, { experiment: { experiment_id: "3" } }];
    const mirrors = () => chosen({ mirrors: ["mlflow"] }, { MLFLOW_TRACKING_URI: url });
    const options = await record(mirrors());
    expect(asked.map(({ path }) => path)).not.toContain("/api/2.0/mlflow/experiments/create");
    asked = [];
    const again = await RunRecord.continue({ ...options, mirrors: mirrors() }, 1);
    await again.append({ round: 2, items: { round: 2, accuracy: 0.75 }, evaluations: [], clients: [] });
    await again.finish("failed");
    expect(asked.map(({ body }) => [body.run_id, body.status])).toEqual([
      ["r1", "RUNNING"],
      ["r1", undefined],
      ["r1", "FAILED"],
    ]);
  });
});

test("Comet gets an experiment in the project, a metric for each number, and the end", async () => {
  await record(chosen({ mirrors: ["comet"], comet_url: url, comet_workspace: "us" }, { COMET_API_KEY: "c" }));
  const api = "/api/rest/v2/write/experiment";
  expect(asked).toEqual([
    {
      path: `${api}/create`,
      key: "c",
      body: { workspaceName: "us", projectName: "digits", experimentName: "run" },
    },
    { path: `${api}/tags`, key: "c", body: { experimentKey: "k1", addedTags: ["first"] } },
    {
      path: `${api}/metric`,
      key: "c",
      body: {
        experimentKey: "k1",
        metricName: "accuracy",
        metricValue: 0.5,
        step: 1,
        timestamp: 1_700_000_000_000,
      },
    },
    { path: `${api}/stop?experimentKey=k1`, key: "c", body: {} },
  ]);
});

describe("TensorBoard", () => {
  test("gets an event file with the numbers", async () => {
    const { resultPath } = await record(chosen({ mirrors: ["tensorboard"] }));
    const [name] = await readdir(join(resultPath, "run/tensorboard"));
    expect(name).toMatch(/^events\.out\.tfevents\.1700000000\./);
    const file = await readFile(join(resultPath, "run/tensorboard", name!));
    const [version, row, ...rest] = records(file);
    expect(rest).toEqual([]);
    const seconds = Buffer.alloc(8);
    seconds.writeDoubleLE(1_700_000_000);
    expect(version).toEqual(Buffer.concat([hex("09"), seconds, hex("1a 0d"), Buffer.from("brain.Event:2")]));
    // Step 1; a summary of 17 bytes: one value of 15, its tag of 8, its float 0.5.
    const value = Buffer.concat([hex("0a 08"), Buffer.from("accuracy"), hex("15 00 00 00 3f")]);
    expect(row).toEqual(Buffer.concat([hex("09"), seconds, hex("10 01 2a 11 0a 0f"), value]));
  });

  test("checks with CRC-32C", () => {
    // The check value of the algorithm, and RFC 3720's for 32 bytes of zeroes.
    expect(crc32c(Buffer.from("123456789"))).toBe(0xe3069283);
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
  });
});

describe("a mirror that cannot be reached", () => {
  test("is told once and left out, and the record is complete", async () => {
    answers["runs/create"] = [500, { message: "full" }];
    const lines: string[] = [];
    const logger = createLogger("info", (line) => lines.push(line));
    const { resultPath } = await record(chosen({ mirrors: ["mlflow"], mlflow_url: url }), logger);
    expect(lines).toEqual([
      expect.stringMatching(/"mlflow" gets no more rows: it answered 500.*record is complete/),
    ]);
    expect(asked.at(-1)!.path).toMatch(/runs\/create$/);
    expect(await readFile(join(resultPath, "run.csv"), "utf8")).toBe("round,accuracy,train_loss\n1,0.5,\n");
    expect(JSON.parse(await readFile(join(resultPath, "run/run.json"), "utf8")).status).toBe("completed");
  });

  test("is left out where its address or key is not known", () => {
    const lines: string[] = [];
    const logger = createLogger("info", (line) => lines.push(line));
    expect(chosen({ mirrors: ["mlflow", "comet"] }, {}, logger)).toEqual([]);
    expect(chosen({ mirrors: ["comet"] }, { COMET_API_KEY: "secret" }, logger)).toEqual([]);
    expect(lines).toEqual([
      expect.stringContaining("MLFLOW_TRACKING_URI"),
      expect.stringContaining("COMET_API_KEY"),
      expect.stringContaining("COMET_WORKSPACE"),
    ]);
    expect(lines.join()).not.toContain("secret");
  });

  test("is none without being asked for", async () => {
    const { resultPath } = await record(chosen({}));
    expect(await readdir(join(resultPath, "run"))).toEqual(["run.json"]);
    expect(asked).toEqual([]);
  });
});

/** Data of the records of an event file: length in eight bytes, four of checksum, data, four of checksum. */
function records(file: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let start = 0; start < file.length; ) {
    const length = Number(file.readBigUInt64LE(start));
    const data = file.subarray(start + 12, start + 12 + length);
    expect(file.readUInt32LE(start + 8)).toBe(masked(file.subarray(start, start + 8)));
    expect(file.readUInt32LE(start + 12 + length)).toBe(masked(data));
    found.push(Buffer.from(data));
    start += length + 16;
  }
  return found;
}

function masked(data: Buffer): number {
  const crc = BigInt(crc32c(data));
  return Number((((crc >> 15n) | (crc << 17n)) + 0xa282ead8n) & 0xffffffffn);
}

function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll(" ", ""), "hex");
}
