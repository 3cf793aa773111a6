import { ElenchusError } from "../base/index.js";
import type { Config } from "../config/index.js";
import { evaluationTables } from "../evaluators/index.js";
import { changeText, currentVersions, type Manifest, type RecordedRun } from "../results/index.js";

/** A resolved configuration as `run.json` holds it: all of it but `server.token`. */
export type RecordedConfig = Config;

/**
 * The configuration that a run was made with.
 * @throws REPRODUCTION_IMPOSSIBLE where the record does not say
 */
export function recordedConfig({ runId, paths, manifest }: RecordedRun): RecordedConfig {
  const cannot = (why: string) =>
    new ElenchusError("REPRODUCTION_IMPOSSIBLE", why, { details: { run_id: runId } });
  if (manifest === null) {
    throw cannot(
      `The run "${runId}" cannot be run again: ${paths.manifest} is missing, which says what it was. Restore it.`,
    );
  }
  const { config, parent } = manifest;
  if (!isWhole(config)) {
    throw cannot(
      `The run "${runId}" cannot be run again: its manifest has no configuration of a federation, so another program made it. Run that program again.`,
    );
  }
  if (parent !== null && parent.run_id !== runId) {
    throw cannot(
      `The run "${runId}" cannot be run again from its first row: it began from round ${parent.round} of the run "${parent.run_id}". Reproduce that one.`,
    );
  }
  return config;
}

/** What a reader of differences should know. */
export function remarksOn({ changes, versions: then, backfills, host }: Manifest): string[] {
  const now = currentVersions();
  const others = Object.keys(now).filter((name) => Object.hasOwn(then, name) && then[name] !== now[name]);
  return [
    ...changes
      .filter(({ key }) => !WITHOUT_NUMBERS.some((one) => key.startsWith(one)))
      .map(
        (change) =>
          `${changeText(change)} from round ${change.round} on, since the run was resumed with it; now it was so from the start`,
      ),
    ...others.map((name) => `${name} was ${then[name]} and is ${now[name]}`),
    ...(host.arch === process.arch ? [] : [`the processor was ${host.arch} and is ${process.arch}`]),
    ...(backfills.length === 0 ? [] : ["columns that were evaluated afterwards are not compared"]),
  ];
}

/** Columns of evaluators that the run itself did not have. */
export function backfilledColumns({ columns, backfills, config }: Manifest): Set<string> {
  const own = new Set(evaluationTables(config).map(({ name }) => name));
  const later = backfills
    .flatMap(({ evaluation }) => evaluationTables({ evaluation }))
    .map(({ name }) => name)
    .filter((name) => !own.has(name));
  return new Set(
    Object.entries(columns).flatMap(([column, { evaluator }]) =>
      evaluator !== null && later.includes(evaluator) ? [column] : [],
    ),
  );
}

/** Where things lie and how long one waits changes no number. */
const WITHOUT_NUMBERS = [
  "general.base_path",
  "server.address",
  "server.port",
  "server.checkpoint_path",
  "results.",
];

function isWhole(config: unknown): config is Config {
  const sections = ["general", "clients", "server", "data", "trainer", "algorithm", "results"];
  return (
    typeof config === "object" &&
    config !== null &&
    sections.every((name) => typeof (config as Record<string, unknown>)[name] === "object")
  );
}
