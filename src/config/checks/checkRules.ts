import { nearest } from "../../base/index.js";
import type { Catalog } from "../catalog.js";
import type { KeyPath } from "../reading/scanKeys.js";
import { type Tree, treeAt } from "../reading/tree.js";
import { testMetricOf } from "../testMetric.js";
import { chosenEntry, chosenName, NAMING_KEYS } from "./catalogKinds.js";
import { shapeOf } from "./checkOptions.js";
import type { Draft } from "./draft.js";
import type { Report } from "./report.js";

/** Rules across keys. A key that is not usable has been reported and takes part in none. */
export function checkRules(draft: Draft, tree: Tree, catalog: Catalog, report: Report): void {
  checkNumbersOfClients(draft, report);
  checkLimits(draft, report);
  checkResultTypes(draft, tree, catalog, report);
  checkTargets(draft, catalog, report);
  checkTokens(draft, catalog, report);
  warnOfKeysWithoutEffect(draft, tree, catalog, report);
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

/** A target that no test can reach, or two of one test. */
function checkTargets(draft: Draft, catalog: Catalog, report: Report): void {
  const { target_perplexity: perplexity, target_accuracy: accuracy, type } = draft.trainer;
  if (perplexity === undefined) return;
  const measured = testMetrics(draft, catalog);
  if (measured !== undefined && !measured.includes("perplexity")) {
    report.error("CONFIG_CONFLICT", ["trainer", "target_perplexity"], {
      expected: `no such target with trainer.type = "${type}", which tests by ${measured.join(", ")}; use target_accuracy, or a trainer of language models`,
    });
  } else if (accuracy !== undefined) {
    report.error("CONFIG_CONFLICT", ["trainer", "target_accuracy"], {
      expected: "one target of the test: trainer.target_perplexity is given too",
    });
  }
}

/** Trainer, model and data must agree on whether rows are tokens; who declares nothing takes part in no rule. */
function checkTokens(draft: Draft, catalog: Catalog, report: Report): void {
  const chosen = TOKEN_KEYS.flatMap((kind) => {
    const naming = NAMING_KEYS.find((one) => one.kind === kind)!;
    const entry = chosenEntry(draft, catalog, naming);
    const key = chosenName(draft, naming)?.key ?? naming.key;
    return entry?.tokens === undefined ? [] : [{ ...naming, key, entry, tokens: entry.tokens }];
  });
  const [reading, others] = [true, false].map((reads) => chosen.filter(({ tokens }) => tokens === reads));
  if (reading!.length === 0 || others!.length === 0) return;
  // The one that stands alone is to blame, of two the trainer.
  const [odd] =
    reading!.length < others!.length ? reading! : others!.length < reading!.length ? others! : chosen;
  const fitting = catalog[odd!.kind].filter(({ tokens }) => tokens === !odd!.tokens).map(({ name }) => name);
  const list = fitting.length === 0 ? "" : ` (${fitting.join(", ")})`;
  const why = odd!.tokens
    ? "which works on tokens, as nothing else here does"
    : "which does not work on tokens";
  report.error("CONFIG_CONFLICT", [odd!.section, odd!.key], {
    expected: `another ${odd!.noun}${list} than "${odd!.entry.name}", ${why}`,
  });
}

const TOKEN_KEYS = ["trainers", "datasources", "models"] as const;

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
  const { type, loss_criterion: loss } = draft.trainer;
  const declared = catalog.trainers.find((entry) => entry.name === type)?.metrics;
  if (declared !== undefined) return Object.keys(declared);
  if (type !== undefined && !BUILT_IN_TRAINERS.includes(type)) return undefined;
  return loss === undefined ? undefined : [testMetricOf(loss, draft.parameters.loss_criterion)];
}

/** They take their test from the loss. */
const BUILT_IN_TRAINERS = ["basic", "composable"];

/** Keys that are read by nothing, with the reason. */
const WITHOUT_EFFECT: readonly [KeyPath, string][] = [
  [["clients", "comm_simulation"], "accepted without effect, since payloads travel over the socket"],
  [["server", "model_path"], "accepted without effect: no model is read from a folder"],
  [["server", "max_payload_parts"], "accepted without effect: a payload has one part"],
];

/** The model that is fetched rather than made. */
const PUBLISHED = "huggingface";

/** Only what the user wrote; `--seed` sets every seed there is. */
function warnOfKeysWithoutEffect(draft: Draft, tree: Tree, catalog: Catalog, report: Report): void {
  const warn = (path: KeyPath, expected: string) => {
    const written = treeAt(tree, path);
    if (written && written.at.file !== "--seed") report.warning("CONFIG_NO_EFFECT", path, { expected });
  };
  for (const [path, expected] of WITHOUT_EFFECT) warn(path, expected);

  const { clients, server, results, trainer } = draft;
  if (clients.do_test === false) {
    const because = "without effect, since clients.do_test is false";
    if (results.record_clients_accuracy === true) warn(["results", "record_clients_accuracy"], because);
    warn(["clients", "test_interval"], because);
  }
  if (clients.do_test === false && server.do_test === false) {
    const because = "since neither server.do_test nor clients.do_test asks for a test";
    warn(["trainer", "target_accuracy"], `without effect, ${because}`);
    warn(["trainer", "target_perplexity"], `without effect, ${because}`);
    if (results.types?.includes("accuracy"))
      warn(placeOf("accuracy", tree), `a column that stays empty, ${because}`);
  }
  if (trainer.lr_scheduler === undefined) {
    warn(["parameters", "learning_rate"], "without effect, since trainer.lr_scheduler is not given");
  }
  if ((trainer.model_type ?? trainer.model_name) !== PUBLISHED) {
    warn(["trainer", "model_revision"], `without effect, since trainer.model_type is not "${PUBLISHED}"`);
  }
  const sampler = catalog.samplers.find(({ name }) => name === draft.data.sampler);
  const read = shapeOf(sampler?.options);
  for (const key of ["partition_size", "concentration"]) {
    if (read === undefined || Object.hasOwn(read, key)) continue;
    warn(["data", key], `without effect, since the sampler "${sampler?.name}" does not read it`);
  }
}
