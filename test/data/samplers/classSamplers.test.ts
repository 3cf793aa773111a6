import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { samplers } from "../../../src/data/index.js";
import { datasetOf } from "../dataTable.js";
import { samplerSuite } from "../suites/samplerSuite.js";
import { countsOf, firstRows, heldRows, partitionsOf } from "./partitionsOf.js";

const labels = firstRows(600).map((row) => row % 6);
const dataset = datasetOf(labels);
const held = (part: Int32Array) => [...new Set([...part].map((row) => labels[row]!))].sort((a, b) => a - b);

// Requests of any labels cannot give every client classes that have rows: here each class has one for each client.
describe.each(["label_quantity_noniid", "mixed_label_quantity_noniid"])("%s", (name) => {
  const keys = (size: number) =>
    name === "label_quantity_noniid"
      ? { per_client_classes_size: size }
      : {
          per_client_classes_size: size,
          anchor_classes: firstRows(size),
          consistent_clients_size: 2,
          keep_anchor_classes_size: size,
        };

  test("divides every class that is held among its holders, none twice and none left over", () => {
    const setting = fc.record({
      size: fc.integer({ min: 1, max: 6 }),
      totalClients: fc.integer({ min: 2, max: 20 }),
      seed: fc.integer(),
    });
    fc.assert(
      fc.property(setting, ({ size, totalClients, seed }) => {
        const parts = partitionsOf(name, { dataset, totalClients, seed, options: keys(size) });
        expect(parts.map((part) => held(part).length)).toEqual(new Array(totalClients).fill(size));
        const rows = heldRows(parts);
        expect(new Set(rows).size).toBe(rows.length);
        for (const label of firstRows(6)) {
          const counts = parts.map((part) => countsOf(part, labels, 6)[label]!).filter((count) => count > 0);
          if (counts.length === 0) continue;
          expect(counts.reduce((sum, count) => sum + count, 0)).toBe(100);
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test("gives all classes to all clients where that is asked for, the last client too", () => {
    const parts = partitionsOf(name, { dataset, totalClients: 7, seed: 1, options: keys(6) });
    expect(heldRows(parts)).toEqual(firstRows(600));
    // A hundred rows of a class among seven: 15, 15, 14, 14, 14, 14, 14.
    expect(parts.map((part) => part.length)).toEqual([90, 90, 84, 84, 84, 84, 84]);
  });

  test("gives a client the same rows from a plan and alone", () => {
    const request = { dataset, totalClients: 9, seed: 3, options: keys(3) };
    const plan = samplers.lookup(name).plan!(request);
    expect(firstRows(9).map((place) => plan(place + 1))).toEqual(partitionsOf(name, request));
  });

  test("refuses more classes than there are", () => {
    const request = { dataset, totalClients: 2, seed: 1, options: keys(7) };
    expect(() => partitionsOf(name, request)).toThrow(
      /per_client_classes_size = 7, but the data has 6 classes/,
    );
  });
});

describe("label_quantity_noniid", () => {
  test("gives the first class by turns and rows in the order of the data and the clients", () => {
    const options = { per_client_classes_size: 1 };
    const parts = partitionsOf("label_quantity_noniid", {
      dataset: datasetOf([0, 1, 0, 1, 0]),
      totalClients: 3,
      seed: 1,
      options,
    });
    // Clients 1 and 3 hold class 0, of whose rows 0, 2, 4 the first gets two.
    expect(parts).toEqual([Int32Array.of(0, 2), Int32Array.of(1, 3), Int32Array.of(4)]);
  });

  test("says which client would hold nothing", () => {
    const options = { per_client_classes_size: 1 };
    const request = { dataset: datasetOf([0, 1, 1]), totalClients: 3, seed: 1, options };
    expect(() => partitionsOf("label_quantity_noniid", request)).toThrow(
      /Client 3 would hold nothing of its classes \(class 0, 1 rows for 2 clients\)/,
    );
  });
});

describe("mixed_label_quantity_noniid", () => {
  const options = {
    per_client_classes_size: 2,
    anchor_classes: [0, 1],
    consistent_clients: [0, 4],
    keep_anchor_classes_size: 0,
  };

  test("keeps the others to their pool: no anchor that was not kept, not even as first class", () => {
    for (const seed of firstRows(20)) {
      const parts = partitionsOf("mixed_label_quantity_noniid", { dataset, totalClients: 12, seed, options });
      parts.forEach((part, place) => {
        if (place === 0 || place === 4) expect(held(part)).toEqual([0, 1]);
        else expect(held(part).every((label) => label >= 2)).toBe(true);
      });
    }
  });

  test("draws the kept anchors anew for each client", () => {
    const one = { ...options, keep_anchor_classes_size: 1, per_client_classes_size: 2 };
    const parts = partitionsOf("mixed_label_quantity_noniid", {
      dataset,
      totalClients: 60,
      seed: 5,
      options: one,
    });
    const others = parts.filter((_, place) => place !== 0 && place !== 4).map(held);
    expect(others.some((classes) => classes.includes(0))).toBe(true);
    expect(others.some((classes) => classes.includes(1))).toBe(true);
    expect(others.every((classes) => !(classes.includes(0) && classes.includes(1)))).toBe(true);
  });

  test("draws so many consistent clients", () => {
    const drawn = { ...options, consistent_clients: undefined, consistent_clients_size: 5 };
    const parts = partitionsOf("mixed_label_quantity_noniid", {
      dataset,
      totalClients: 12,
      seed: 8,
      options: drawn,
    });
    expect(parts.filter((part) => held(part).join() === "0,1")).toHaveLength(5);
  });

  test.each([
    [{ anchor_classes: [0] }, /anchor_classes.*as many as data.per_client_classes_size = 2/],
    [{ anchor_classes: [0, 0] }, /each class once/],
    [{ anchor_classes: [0, 9] }, /anchor_classes names class 9, but the classes are 0 to 5/],
    [{ keep_anchor_classes_size: 3 }, /at most the 2 of data.anchor_classes/],
    [{ consistent_clients_size: 2 }, /one of them/],
    [{ consistent_clients: [12] }, /names 12; expected 0 to 11/],
    [{ consistent_clients: undefined, consistent_clients_size: 13 }, /= 13, but there are 12 clients/],
    [
      { per_client_classes_size: 4, anchor_classes: [0, 1, 2, 3] },
      /keep_anchor_classes_size = 0 leaves 2 classes for the other clients, which hold 4 each; raise it to at least 2/,
    ],
  ])("refuses %j", (change, message) => {
    const request = { dataset, totalClients: 12, seed: 1, options: { ...options, ...change } };
    expect(() => partitionsOf("mixed_label_quantity_noniid", request)).toThrow(message);
  });
});

describe("mixed", () => {
  samplerSuite("mixed", samplers.lookup("mixed"), ({ totalClients }) => ({
    non_iid_clients: Math.floor(totalClients / 2),
  }));
  const even = { partition_size: 60, concentration: 1e-3 };

  test.each([
    ["a number of clients", 2, [1, 2]],
    ["a list of clients", "2, 4", [2, 4]],
    ["a list of numbers", [3], [3]],
    ["none", 0, []],
  ])("skews the clients of %s as noniid does and leaves the others even", (_, non_iid_clients, skewed) => {
    const request = { dataset, totalClients: 4, seed: 6, options: { ...even, non_iid_clients } };
    const parts = partitionsOf("mixed", request);
    const skewedParts = partitionsOf("noniid", { ...request, options: even });
    parts.forEach((part, index) => {
      if (skewed.includes(index + 1)) expect(part).toEqual(skewedParts[index]);
      // Ten of sixty are expected of each of six classes; nine standard deviations (2.8) hold for any seed.
      else for (const count of countsOf(part, labels, 6)) expect(Math.abs(count - 10)).toBeLessThan(25);
    });
  });

  test("draws for every even client anew, whatever seed and client multiply to", () => {
    const ask = (seed: number, clientId: number) =>
      samplers.lookup("mixed").partition({
        dataset,
        totalClients: 4,
        seed,
        clientId,
        options: { ...even, non_iid_clients: 0 },
      });
    expect(ask(2, 3)).not.toEqual(ask(3, 2));
    expect(ask(0, 1)).not.toEqual(ask(0, 2));
  });

  test.each([
    ["1, 9", /names client 9; expected clients from 1 to clients.total_clients = 4/],
    [9, /names client 5/],
    ["one", /non_iid_clients/],
    [undefined, /non_iid_clients is missing/],
  ])("refuses non_iid_clients = %j", (non_iid_clients, message) => {
    const request = { dataset, totalClients: 4, seed: 1, options: { ...even, non_iid_clients } };
    expect(() => partitionsOf("mixed", request)).toThrow(message);
  });
});

describe("orthogonal", () => {
  samplerSuite("orthogonal", samplers.lookup("orthogonal"), ({ dataset: { labels: given } }) => ({
    institution_class_ids: [firstRows(5)],
    partition_size: given.length,
  }));

  test("gives silos classes of their own, split evenly, and clients to silos by turns", () => {
    const options = { partition_size: 30 };
    const parts = partitionsOf("orthogonal", { dataset, totalClients: 8, seed: 1, options, silos: 4 });
    // Six classes among four silos: two, two, one, one.
    const classes = [[0, 1], [2, 3], [4], [5]];
    expect(parts.map(held)).toEqual([...classes, ...classes]);
    // Seed times client would give client 5 of seed 1 what client 1 of seed 5 gets.
    const other = partitionsOf("orthogonal", { dataset, totalClients: 8, seed: 5, options, silos: 4 });
    expect(parts[4]).not.toEqual(other[0]);
  });

  test.each(["0, 1; 5", [[0, 1], [5]]])("takes the classes of silos from %j", (institution_class_ids) => {
    const options = { partition_size: 50, institution_class_ids };
    const parts = partitionsOf("orthogonal", { dataset, totalClients: 4, seed: 1, options });
    expect(parts.map(held)).toEqual([[0, 1], [5], [0, 1], [5]]);
    expect(parts.every((part) => part.length === 50)).toBe(true);
  });

  test("skews the classes within a silo where that is asked for", () => {
    const options = { partition_size: 50, label_distribution: "noniid", concentration: 1e-3 };
    const parts = partitionsOf("orthogonal", { dataset, totalClients: 40, seed: 1, options, silos: 2 });
    // Nearly all of one class on average, where each of three would have 17.
    const largest = parts.map((part) => Math.max(...countsOf(part, labels, 6)));
    expect(largest.reduce((sum, count) => sum + count, 0) / parts.length).toBeGreaterThan(45);
  });

  test.each([
    [
      { institution_class_ids: "0; 1" },
      3,
      /names the classes of 2 silos; expected algorithm.total_silos = 3/,
    ],
    [{ institution_class_ids: "0; 7" }, 2, /names class 7, but the classes are 0 to 5/],
    [{ institution_class_ids: "0, 0; 1" }, 2, /names a class twice/],
    [{ institution_class_ids: "all" }, 2, /expected the classes of each silo/],
    [{}, 7, /6 classes for 7 silos/],
    [{ partition_size: 101 }, 6, /partition_size = 101, but the classes 0 of silo 1 have 100 rows/],
  ])("refuses %j for %d silos", (change, silos, message) => {
    const options = { partition_size: 10, ...change };
    expect(() => partitionsOf("orthogonal", { dataset, totalClients: 8, seed: 1, options, silos })).toThrow(
      message,
    );
  });
});
