import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { elenchus, startElenchus } from "../support/commandLine.js";
import { freePort } from "../support/freePort.js";
import { GATED_TRAINER, gate } from "../support/gates.js";
import { rowsOf, withoutTimes } from "../support/records.js";
import { smallConfig } from "../support/smallConfig.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("apart");
const TOKEN = "a-secret-of-this-test";
const RECORDED = `
[evaluation]
type = "classification"

[results]
types = "round, accuracy, elapsed_time, train_loss, comm_overhead"
`;
writeFileSync(join(folder, "few.toml"), smallConfig(RECORDED, { clients: 2 }));
const csv = (runId: string) => join(folder, "runtime", "results", `${runId}.csv`);

describe("a server and clients that are started apart", () => {
  it("give the record of one run on one machine, clients first, a stranger at the door", async () => {
    const port = await freePort();
    const secret = ["--set", `server.token=${TOKEN}`];
    const client = (id: number, ...more: string[]) =>
      startElenchus(
        [
          "client",
          "few.toml",
          "--id",
          String(id),
          "--server",
          `http://127.0.0.1:${port}`,
          ...secret,
          ...more,
        ],
        folder,
      );
    const first = client(1);
    const server = startElenchus(
      ["server", "few.toml", ...secret, "--set", `server.port=${port}`, "--run-id", "apart", "--json"],
      folder,
    );
    await server.said(/listening on/);
    const stranger = await client(3, "--set", "server.token=another").finished;
    expect(stranger.status).toBe(1);
    expect(stranger.stderr).toMatch(/^error \[CONNECTION_REFUSED\].*wrong_token/m);
    const second = client(2, "--json");

    const [served, ...trained] = await Promise.all([server.finished, first.finished, second.finished]);
    expect(served.status).toBe(0);
    expect(served.stderr).toContain("wrong_token 1");
    const document = JSON.parse(served.stdout);
    expect(document).toMatchObject({ run_id: "apart", status: "completed", rounds: 2 });
    expect(trained.map(({ status }) => status)).toEqual([0, 0]);
    expect(trained[0]!.stdout).toMatch(/completed .* trained 2 times/);
    // The run's document, but that its CSV is on the server's machine.
    expect(JSON.parse(trained[1]!.stdout)).toEqual({ ...document, csv: null });

    const together = await elenchus(["run", "few.toml", "--run-id", "together"], folder);
    expect(together.status).toBe(0);
    expect(withoutTimes(csv("apart"))).toEqual(withoutTimes(csv("together")));
    for (const file of ["apart.csv", "apart/run.json"]) {
      expect(readFileSync(join(folder, "runtime", "results", file), "utf8")).not.toContain(TOKEN);
    }
  }, 120_000);

  it("are the logical clients of their numbers with server.disable_clients, for `run` too", async () => {
    const port = await freePort();
    const fixed = [
      ...["--set", `server.token=${TOKEN}`, "--set", "server.disable_clients=true"],
      ...["--set", `server.port=${port}`],
    ];
    const run = startElenchus(["run", "few.toml", ...fixed, "--run-id", "fixed", "--json"], folder);
    await run.said(/listening on/);
    const none = await elenchus(["client", "few.toml", "--id", "3", ...fixed], folder);
    expect(none.status).toBe(2);
    expect(none.stderr).toMatch(/error \[USAGE\]: --id 3 is no logical client/);

    const clients = [1, 2].map((id) =>
      elenchus(["client", "few.toml", "--id", String(id), ...fixed], folder),
    );
    const [ran, ...trained] = await Promise.all([run.finished, ...clients]);
    expect([ran.status, ...trained.map(({ status }) => status)]).toEqual([0, 0, 0]);
    expect(rowsOf(csv("fixed")).map((row) => row.round)).toEqual(["1", "2"]);
    for (const { stdout } of trained) expect(stdout).toContain("trained 2 times");
  }, 120_000);

  it("go on together when the server was killed and is resumed: clients come back to it", async () => {
    const port = String(await freePort());
    const shared = ["--set", `server.token=${TOKEN}`, "--set", `server.port=${port}`];
    const gated = [...shared, "--import", GATED_TRAINER, "--set", "trainer.type=gated"];
    const serve = (...words: string[]) =>
      startElenchus(["server", "few.toml", "--run-id", "back", ...gated, ...words], folder);
    const before = gate(folder, 1, 2);
    before.close();
    const first = serve();
    const clients = [1, 2].map((id) =>
      elenchus(["client", "few.toml", "--id", String(id), ...gated], folder),
    );
    await before.waiting();
    first.child.kill("SIGKILL");
    await first.finished;
    before.open();

    const [served, ...trained] = await Promise.all([serve("--resume").finished, ...clients]);
    expect([served.status, ...trained.map(({ status }) => status)], served.stderr).toEqual([0, 0, 0]);
    for (const { stdout } of trained) expect(stdout).toMatch(/completed/);
    expect(withoutTimes(csv("back"))).toEqual(withoutTimes(csv("together")));
  }, 120_000);

  it("part in an orderly way: a client that is told to stop while it waits for a server", async () => {
    const words = ["client", "few.toml", "--id", "1", "--server", "http://127.0.0.1:9", "--log", "debug"];
    const client = startElenchus([...words, "--json", "--set", `server.token=${TOKEN}`], folder);
    await client.said(/No connection to/);
    client.child.kill("SIGINT");
    const { status, stdout } = await client.finished;
    expect(status).toBe(130);
    expect(JSON.parse(stdout)).toEqual({
      run_id: null,
      status: "interrupted",
      rounds: 0,
      csv: null,
      last_row: null,
    });
  }, 60_000);

  it("fail with the run, which says why to each of them", async () => {
    const port = await freePort();
    const words = [
      ...["--import", GATED_TRAINER, "--set", "trainer.type=failing", "--json"],
      ...["--set", "server.minimum_clients_aggregated=2", "--set", `server.port=${port}`],
      ...["--set", `server.token=${TOKEN}`],
    ];
    const [served, ...clients] = await Promise.all([
      elenchus(["server", "few.toml", "--run-id", "short", ...words], folder),
      ...[1, 2].map((id) => elenchus(["client", "few.toml", "--id", String(id), ...words], folder)),
    ]);
    const document = JSON.parse(served.stdout);
    expect(document).toMatchObject({ status: "failed", rounds: 1, last_row: { round: 1 } });
    for (const { status, stdout, stderr } of clients) {
      expect(status).toBe(1);
      expect(stderr).toMatch(/^error \[QUORUM_MISSED\]: Round 2 has 1 updates/m);
      expect(JSON.parse(stdout)).toEqual({ ...document, csv: null });
    }
  }, 120_000);

  it.each([
    ["server", ["server", "few.toml"]],
    ["client", ["client", "few.toml", "--id", "1", "--server", "http://127.0.0.1:9"]],
    ["run without clients", ["run", "few.toml", "--set", "server.disable_clients=true"]],
  ])("need a token: %s", async (_, words) => {
    const { status, stdout, stderr } = await elenchus(words, folder);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error \[TOKEN_MISSING\]: .*server\.token/m);
    expect(stdout).toBe("");
  });

  it("cannot meet where the server takes any free port and the client is not told which", async () => {
    const words = ["client", "few.toml", "--id", "1", "--set", `server.token=${TOKEN}`];
    const { status, stderr } = await elenchus(words, folder);
    expect(status).toBe(2);
    expect(stderr).toMatch(/error \[USAGE\]: .*--server URL/);
  });
});
