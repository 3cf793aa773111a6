import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { algorithmCatalog, algorithms } from "../../src/algorithms/index.js";
import { buildCatalog } from "../../src/cli/catalog.js";
import { readConfigFile } from "../../src/config/index.js";

const folder = fileURLToPath(new URL("../../configs/algorithms/", import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith(".toml"));

describe("configs/algorithms", () => {
  it.each(files)("%s is sound, with no word to say about it", (file) => {
    const { config, warnings } = readConfigFile(`${folder}${file}`, buildCatalog());
    expect(warnings).toEqual([]);
    const type = file.replace(".toml", "");
    const named = config.server.type ?? config.algorithm.type;
    expect(named).toBe(["unlike-clients", "fine-tuned"].includes(type) ? "fedavg" : type);
  });
});

describe("a configuration", () => {
  const check =
    (...set: string[]) =>
    () =>
      readConfigFile(`${folder}unlike-clients.toml`, buildCatalog(), { set });

  it("has the keys of its algorithm, with their defaults", () => {
    const { config } = check("algorithm.type=fedadam", "algorithm.tau=0.5")();
    expect(config.algorithm).toEqual({
      type: "fedadam",
      server_learning_rate: 0.01,
      beta_1: 0.9,
      beta_2: 0.99,
      tau: 0.5,
    });
  });

  it("of another kind of server has that one's keys too", () => {
    const { config } = check("server.type=fedavgm", "algorithm.server_momentum=0.5")();
    expect(config.algorithm).toMatchObject({ type: "fedavg", server_momentum: 0.5, server_learning_rate: 1 });
    expect(check("server.type=diloco")().config.server).toMatchObject({
      diloco: { outer_optimizer: "nesterov", outer_learning_rate: 0.7, aggregation_weighting: "uniform" },
    });
  });

  it.each([
    [["algorithm.type=fedadam", "algorithm.beta_1=1"], "algorithm.beta_1"],
    [["algorithm.type=feddyn", "algorithm.alpha_coef=0"], "algorithm.alpha_coef"],
    [["algorithm.type=fedper", "server.do_test=false"], "algorithm.local_layer_names"],
    [["algorithm.type=fedper", 'algorithm.local_layer_names="fc2"'], "server.do_test"],
    [["algorithm.type=fedbn", "clients.do_test=false"], "clients.do_test"],
    [["algorithm.type=scaffold", "trainer.optimizer=Adam"], "trainer.optimizer"],
    [["algorithm.type=scaffold", "server.type=fedavg"], "server.type"],
    [["server.type=fednova"], "server.type"],
    [["server.type=diloco", 'server.diloco={outer_optimizer="adam"}'], "server.diloco"],
  ])("%j is refused at %s", (set, key) => {
    expect(check(...set)).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining(key) }),
    );
  });

  it("can choose every algorithm, which says in a line what it is", () => {
    for (const { name, description } of algorithmCatalog()) {
      expect(algorithms.has(name)).toBe(true);
      expect(description.length).toBeGreaterThan(10);
    }
  });
});
