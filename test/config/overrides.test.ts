import { describe, expect, it } from "vitest";
import { type CheckOptions, checkConfig } from "../../src/config/index.js";
import { smallCatalog, validToml } from "./support/catalog.js";

const check = (options: CheckOptions, more = "") =>
  checkConfig({ text: validToml(more), file: "a.toml" }, smallCatalog(), options);

describe("the command line", () => {
  it("sets keys: the value is TOML, else a string", () => {
    const { config } = check({
      set: [
        "trainer.rounds=9",
        "trainer.optimizer=Adam",
        "server.do_test = true",
        "results.types=['round', \"train_loss\"]",
        "general.base_path=./a=b",
        "parameters.model.'a.b'={ x = 1 }",
        "parameters.optimizer={}",
      ],
    });
    expect(config?.trainer).toMatchObject({ rounds: 9, optimizer: "Adam" });
    expect(config?.results.types).toEqual(["round", "train_loss"]);
    expect(config?.general.base_path).toBe("./a=b");
    expect(config?.parameters.model).toEqual({ "a.b": { x: 1 } });
    expect(config?.parameters.optimizer).toEqual({});
  });

  it("sets keys in tables of a list by their place", () => {
    const { config } = check(
      { set: ["evaluation.1.limit=5"] },
      '[[evaluation]]\ntype = "free"\n[[evaluation]]\ntype = "scored"',
    );
    expect(config?.evaluation).toMatchObject([{ limit: -1 }, { limit: 5 }]);
  });

  it("names the option in faults", () => {
    const { errors } = check({ set: ["server.prot=1", "trainer.rounds=many", "rounds=1"] });
    expect(errors).toMatchObject([
      { code: "CONFIG_UNKNOWN_KEY", file: "--set", line: null, key: "rounds", suggestion: "trainer.rounds" },
      { code: "CONFIG_VALUE", file: "--set", key: "trainer.rounds", value: "many" },
      { code: "CONFIG_UNKNOWN_KEY", file: "--set", key: "server.prot", suggestion: "port" },
    ]);
    expect(check({ seed: 0.5 }).errors.map(({ file, key }) => [file, key])).toEqual([
      ["--seed", "clients.random_seed"],
      ["--seed", "server.random_seed"],
      ["--seed", "data.random_seed"],
      ["--seed", "trainer.random_seed"],
    ]);
  });

  it.each(["rounds", "=1", "a b=1", "", "trainer.rounds.x=1", "evaluation.7.limit=1", "a=1\nb.=2=3"])(
    "refuses --set %j",
    (set) => {
      const { ok, errors } = check({ set: [set] });
      expect(ok).toBe(false);
      expect(errors.every(({ file }) => file === "--set")).toBe(true);
    },
  );

  it("takes a value of several lines as the string it is, never as more keys", () => {
    const { config } = check({ set: ["general.project=x\n[server]\nport = 1"] });
    expect(config?.general.project).toBe("x\n[server]\nport = 1");
    expect(config?.server.port).toBe(8000);
  });

  it("seeds everything, a section that was left out too; --set is more special", () => {
    const { config } = check({ seed: 7, set: ["data.random_seed=3"] });
    expect(config?.clients.random_seed).toBe(7);
    expect(config?.server.random_seed).toBe(7);
    expect(config?.trainer.random_seed).toBe(7);
    expect(config?.data.random_seed).toBe(3);
    const { errors } = checkConfig({ text: "" }, smallCatalog(), { seed: 7 });
    expect(errors.map(({ code, key }) => [code, key])).toEqual(
      ["clients", "data", "trainer", "algorithm"].map((key) => ["CONFIG_MISSING_KEY", key]),
    );
  });

  it("moves the base path", () => {
    expect(check({ base: "/tmp/x" }, "[general]\nbase_path = 'y'").config?.general.base_path).toBe("/tmp/x");
  });
});
