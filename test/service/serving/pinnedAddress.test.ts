import { afterAll, expect, it } from "vitest";
import { silentLogger } from "../../../src/base/index.js";
import { readServiceConfig } from "../../../src/config/index.js";
import { serviceModels } from "../../../src/service/serving/serviceModels.js";
import { startModelServer } from "../../language/modelServer.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";

const server = await startModelServer();
afterAll(() => server.close());
const { port } = new URL(server.url);

/** The models of a service for which a name means these addresses, one after the other. */
function models(addresses: readonly string[], allowPrivate: boolean) {
  const { settings } = readServiceConfig(undefined, {
    base: temporaryFolder("pinned"),
    set: [`service.allow_private_addresses=${allowPrivate}`],
  });
  const asked: string[] = [];
  const pool = serviceModels({
    settings,
    logger: silentLogger,
    resolver: async (host) => {
      asked.push(host);
      return [{ address: addresses[Math.min(asked.length, addresses.length) - 1]!, family: 4 }];
    },
  });
  afterAll(() => pool.close());
  const ask = () =>
    pool.use({ url: `http://model.example:${port}/v1`, model: "bigram", attempts: 1 }, undefined, (model) =>
      model.generate([{ prompt: "ab" }], { maxNewTokens: 2 }),
    );
  return { ask, asked };
}

it("a name that means a private machine by the time of the connection is not connected to", async () => {
  const { ask, asked } = models(["93.184.216.34", "127.0.0.1"], false);
  await expect(ask()).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
  expect(asked).toEqual(["model.example", "model.example"]);
  expect(server.arrived).toEqual([]);
});

it("the connection goes to the address that was looked at, under the name that was given", async () => {
  const { ask } = models(["127.0.0.1"], true);
  expect(await ask()).toEqual([expect.objectContaining({ text: expect.any(String) })]);
  expect(await ask()).toHaveLength(1);
  expect(server.arrived.map(({ headers }) => headers.host)).toEqual(Array(2).fill(`model.example:${port}`));
});
