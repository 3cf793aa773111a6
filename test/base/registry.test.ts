import { describe, expect, it } from "vitest";
import { createRegistry, type ElenchusError, nearest } from "../../src/base/index.js";

const codeOf = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    return (error as ElenchusError).code;
  }
  return "nothing thrown";
};

describe("createRegistry", () => {
  it("registers, looks up, lists in order and forgets", () => {
    const registry = createRegistry<number>("number");
    registry.register("two", 2, { description: "the second" });
    registry.register("one", 1);
    expect(registry.registeredNames()).toEqual(["one", "two"]);
    expect(registry.lookup("two")).toBe(2);
    expect(registry.list()).toEqual([
      { name: "one", description: "" },
      { name: "two", description: "the second" },
    ]);
    registry.unregister("two");
    registry.unregister("never there");
    expect(registry.has("two")).toBe(false);
  });

  it("refuses a taken name unless told to replace it", () => {
    const registry = createRegistry<number>("number");
    registry.register("one", 1);
    expect(codeOf(() => registry.register("one", 2))).toBe("NAME_TAKEN");
    expect(registry.lookup("one")).toBe(1);
    registry.register("one", 2, { replace: true });
    expect(registry.lookup("one")).toBe(2);
  });

  it("refuses names that nobody could type", () => {
    const registry = createRegistry<number>("number");
    for (const name of ["", " a", "a\n", undefined as unknown as string]) {
      expect(codeOf(() => registry.register(name, 1))).toBe("NAME_INVALID");
    }
  });

  it("says what an unknown name was probably meant to be, and what there is", () => {
    const registry = createRegistry<number>("sampler");
    registry.register("noniid", 1);
    registry.register("iid", 2);
    expect(() => registry.lookup("non-iid")).toThrow(
      'No such sampler: "non-iid". Did you mean "noniid"? Registered: iid, noniid.',
    );
    expect(() => createRegistry("sampler").lookup("x")).toThrow("Registered: none.");
  });

  it("takes names such as __proto__ for what they are: names", () => {
    const registry = createRegistry<number>("number");
    expect(registry.has("constructor")).toBe(false);
    registry.register("__proto__", 5);
    expect(registry.lookup("__proto__")).toBe(5);
  });
});

describe("nearest", () => {
  it("forgives case, dashes and a third of the letters, and no more", () => {
    expect(nearest("Total-Clients", ["total_clients", "per_round"])).toBe("total_clients");
    expect(nearest("totl_clents", ["total_clients", "per_round"])).toBe("total_clients");
    expect(nearest("banana", ["total_clients", "per_round"])).toBeUndefined();
    expect(nearest("anything", [])).toBeUndefined();
  });
});
