import { nearest } from "../../base/index.js";
import type { Catalog } from "../catalog.js";
import type { KeyPath } from "../reading/scanKeys.js";
import { type Tree, treeAt } from "../reading/tree.js";
import type { Draft } from "./draft.js";
import type { Report } from "./report.js";

/** Rules across keys. A key that is not usable has been reported and takes part in none. */
export function checkRules(draft: Draft, tree: Tree, catalog: Catalog, report: Report): void {
  checkNumbersOfClients(draft, report);
  checkLimits(draft, report);
  checkResultTypes(draft, tree, catalog, report);
  warnOfKeysWithoutEffect(draft, tree, report);
}

function checkNumbersOfClients({ clients, server }: Draft, report: Report): void {
  const { total_clients: total, per_round: perRound } = clients;
  const { minimum_clients_aggregated: quorum } = server;
  if (total !== undefined && perRound !== undefined && perRound > total) {
    report.error("CONFIG_CONFLICT", ["clients", "per_round"], {
      expected: `at most clients.total_clients, which is ${total}`,
    });
  }
  if (quorum !== undefined && perRound !== undefined && quorum > perRound) {
    report.error("CONFIG_CONFLICT", ["server", "minimum_clients_aggregated"], {
      expected: `at most clients.per_round, which is ${perRound}`,
    });
  }
}

/** A chunk must fit into a payload, and a payload into what may be buffered. */
function checkLimits({ server }: Draft, report: Report): void {
  const order = ["max_chunk_bytes", "max_payload_bytes", "max_buffered_bytes"] as const;
  for (const [place, larger] of order.entries()) {
    const smaller = order[place - 1];
    const low = smaller === undefined ? undefined : server[smaller];
    const high = server[larger];
    if (low !== undefined && high !== undefined && low > high) {
      report.error("CONFIG_CONFLICT", ["server", larger], {
        expected: `at least server.${smaller}, which is ${low}`,
      });
    }
  }
}

/** A column that nothing produces would stay empty for the whole run. */
function checkResultTypes(draft: Draft, tree: Tree, catalog: Catalog, report: Report): void {
  const items = catalog.resultItems?.map((item) => item.name);
  const measured = testMetrics(draft, catalog);
  const metrics = (measured ?? []).flatMap((metric) => [metric, `${metric}_std`]);
  const known = [...new Set([...(items ?? []), ...metrics])];
  for (const name of draft.results.types ?? []) {
    const path = placeOf(name, tree);
    if (name.startsWith("evaluation_")) {
      if (draft.evaluation !== undefined) continue;
      report.error("CONFIG_CONFLICT", path, { expected: `an [evaluation] that gives the column "${name}"` });
      continue;
    }
    if (items === undefined || known.includes(name)) continue;
    const fault = {
      expected: `columns that something produces; nothing known gives "${name}" (${known.join(", ")}, evaluation_*)`,
      suggestion: nearest(name, known),
    };
    if (measured === undefined) report.warning("CONFIG_CONFLICT", path, fault);
    else report.error("CONFIG_CONFLICT", path, fault);
  }
}

/** The item of the list that gives a name, or the comma string as a whole. */
function placeOf(name: string, tree: Tree): KeyPath {
  const types = treeAt(tree, ["results", "types"]);
  const place =
    types?.kind === "list"
      ? types.items.findIndex((item) => item.kind === "leaf" && String(item.value).trim() === name)
      : -1;
  return place < 0 ? ["results", "types"] : ["results", "types", place];
}

/**
 * Metrics that the trainer's test can give, undefined where nobody can tell before it runs: a trainer made in
 * code may test by any strategy.
 */
function testMetrics(draft: Draft, catalog: Catalog): readonly string[] | undefined {
  const { type } = draft.trainer;
  const declared = catalog.trainers.find((entry) => entry.name === type)?.metrics;
  if (declared !== undefined) return Object.keys(declared);
  return type === "basic" || type === undefined ? METRICS_OF_BASIC : undefined;
}

/** The `basic` trainer takes its test from the loss: of classes or of numbers. */
const METRICS_OF_BASIC = ["accuracy", "mse"];

function warnOfKeysWithoutEffect(draft: Draft, tree: Tree, report: Report): void {
  if (treeAt(tree, ["clients", "comm_simulation"])) {
    report.warning("CONFIG_NO_EFFECT", ["clients", "comm_simulation"], {
      expected: "accepted without effect, since payloads travel over the socket",
    });
  }
  if (draft.results.record_clients_accuracy === true && draft.clients.do_test === false) {
    report.warning("CONFIG_NO_EFFECT", ["results", "record_clients_accuracy"], {
      expected: "without effect, since clients.do_test is false",
    });
  }
}
