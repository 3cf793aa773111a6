import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import {
  type DownloadLimits,
  datasetDefinitionSchema,
  datasetOf,
  publicAddress,
} from "../../../src/tasks/index.js";

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return (server.address() as AddressInfo).port;
}

function load(url: string, download: DownloadLimits, signal?: AbortSignal) {
  const definition = datasetDefinitionSchema.parse({ type: "custom", identifier: "d", url });
  return datasetOf(definition, { download })
    .load(undefined, signal)
    .then((samples) => samples.map(({ data }) => data));
}

const OPEN: DownloadLimits = { allowPrivate: true };

describe("a table at an address", () => {
  it("is fetched, once for each use, and read by the end of its name or its type", async () => {
    let asked = 0;
    const port = await serve((request, response) => {
      asked += 1;
      if (request.url === "/typed") response.setHeader("content-type", "application/x-ndjson; charset=utf-8");
      response.end(request.url === "/typed" ? '{"q":"x"}\n' : "q\nx\n");
    });
    expect(await load(`http://127.0.0.1:${port}/rows.csv?key=1`, OPEN)).toEqual([{ q: "x" }]);
    expect(asked).toBe(1);
    expect(await load(`http://127.0.0.1:${port}/typed`, OPEN)).toEqual([{ q: "x" }]);
  });

  it("is not fetched from this machine or a private network unless that is allowed", async () => {
    const port = await serve((_, response) => response.end("q\nx\n"));
    const addresses = [
      `http://127.0.0.1:${port}/a.csv`,
      `http://localhost:${port}/a.csv`,
      `http://2130706433:${port}/a.csv`,
      `http://[::1]:${port}/a.csv`,
      `http://[::ffff:127.0.0.1]:${port}/a.csv`,
      "http://169.254.169.254/latest/meta-data/a.csv",
      "http://10.0.0.1/a.csv",
      "http://0.0.0.0/a.csv",
    ];
    for (const address of addresses) {
      await expect(load(address, {}), address).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
    }
  });

  it("is refused where any address of its host is private", async () => {
    const resolver = async () => [
      { address: "93.184.216.34", family: 4 as const },
      { address: "192.168.1.1", family: 4 as const },
    ];
    await expect(publicAddress("example.org", { resolver })).rejects.toMatchObject({
      code: "ADDRESS_REFUSED",
    });
  });

  it("connects to the address that was looked at: the name is looked up once", async () => {
    const port = await serve((request, response) => response.end(`q\n${request.headers.host}\n`));
    let lookups = 0;
    const resolver = async () => {
      lookups += 1;
      return [{ address: lookups === 1 ? "127.0.0.1" : "192.0.2.1", family: 4 as const }];
    };
    const rows = await load(`http://some.example:${port}/a.csv`, { ...OPEN, resolver });
    expect(rows).toEqual([{ q: `some.example:${port}` }]);
    expect(lookups).toBe(1);
  });

  it("is looked at anew after a redirect", async () => {
    const target = await serve((_, response) => response.end("q\nx\n"));
    const port = await serve((_, response) => {
      response.writeHead(302, { location: `http://internal.example:${target}/rows.csv` });
      response.end();
    });
    // The first host passes for a public one; the second does not.
    const asked: string[] = [];
    const resolver = async (host: string) => {
      asked.push(host);
      return [{ address: "127.0.0.1", family: 4 as const }];
    };
    expect(await load(`http://public.example:${port}/`, { ...OPEN, resolver })).toEqual([{ q: "x" }]);
    expect(asked).toEqual(["public.example", "internal.example"]);
    const loop = await serve((_, response) => {
      response.writeHead(302, { location: "/again.csv" });
      response.end();
    });
    await expect(load(`http://127.0.0.1:${loop}/a.csv`, OPEN)).rejects.toThrowError(/redirects more than 5/);
    const away = await serve((_, response) => {
      response.writeHead(302, { location: "file:///etc/passwd" });
      response.end();
    });
    await expect(load(`http://127.0.0.1:${away}/a.csv`, OPEN)).rejects.toMatchObject({
      code: "ADDRESS_REFUSED",
    });
  });

  it("is no larger than the limit, whether or not its size is told", async () => {
    const port = await serve((request, response) => {
      if (request.url === "/told.csv") response.setHeader("content-length", 1_000_000);
      response.write("q\n");
      response.end("x".repeat(999_998));
    });
    for (const path of ["told.csv", "untold.csv"]) {
      await expect(
        load(`http://127.0.0.1:${port}/${path}`, { ...OPEN, largestFile: 10_000 }),
      ).rejects.toMatchObject({ code: "INPUT_TOO_LARGE" });
    }
  });

  it("comes within its time, or the signal's", async () => {
    const port = await serve((_, response) => response.write("q\n"));
    const url = `http://127.0.0.1:${port}/a.csv`;
    await expect(load(url, { ...OPEN, timeout: 50 })).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
    const stop = new AbortController();
    const loading = load(url, OPEN, stop.signal);
    setTimeout(() => stop.abort(new Error("stop")), 20);
    await expect(loading).rejects.toThrowError("stop");
  });

  it("says what a server answered, without the secrets of the address", async () => {
    const port = await serve((_, response) => {
      response.statusCode = 404;
      response.end();
    });
    const failure = await load(`http://127.0.0.1:${port}/a.csv?token=SECRET`, OPEN).catch((error) => error);
    expect(failure).toMatchObject({ code: "INPUT_UNREADABLE", message: expect.stringMatching(/status 404/) });
    expect(failure.message).not.toContain("SECRET");
    const password = await load(`http://user:SECRET@127.0.0.1:${port}/a.csv`, OPEN).catch((error) => error);
    expect(password).toMatchObject({ code: "ADDRESS_REFUSED" });
    expect(password.message).not.toContain("SECRET");
  });
});
