import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { ElenchusError } from "../../base/index.js";
import { fetchFile, type HubEnvironment, unpackZip, withZip } from "../../hub/index.js";
import { type CoreSpec, coreTasks, EXCERPT_SOURCES } from "../../tasks/index.js";
import { parseBaselines } from "./bundleBaselines.js";
import type { CoreConfig } from "./coreOptions.js";
import { parseCoreYaml } from "./coreYaml.js";

/** CORE's files as nanochat's bundle has them. */
export interface CoreBundle {
  /** The folder with `eval_data` in it, or with a `sources.json`. */
  readonly folder: string;
  readonly tasks: readonly CoreSpec[];
  /** Whether these are the 22 tasks of CORE. */
  readonly isCore: boolean;
  /** What guessing reaches, in percent by label, where the bundle says so. */
  readonly baselines: ReadonlyMap<string, number> | undefined;
  /** A list of excerpts that come with the package, which stand for the bundle where it cannot be had. */
  readonly excerpts: string | undefined;
}

/** Where nanochat keeps its files. */
export function nanochatFolder(): string {
  return process.env.NANOCHAT_BASE_DIR || join(homedir(), ".cache", "nanochat");
}

/**
 * Finds the bundle of a table, and fetches and unpacks it where it is not there yet. With `data_dir` nothing is
 * fetched. Where it cannot be had because the network is out of reach, and `allow_partial` is set, the excerpts of the
 * package stand for it.
 * @throws INPUT_UNREADABLE for an archive or a file of the bundle that is damaged; as `fetchFile`
 */
export async function coreBundle(config: CoreConfig, hub: HubEnvironment): Promise<CoreBundle> {
  const folder = await bundleFolder(config, hub).catch((error: unknown) => {
    if (!isReplaceable(config, error, hub)) throw error;
    if (config.allow_partial) return undefined;
    const { code, message, details } = error;
    throw new ElenchusError(
      code,
      `${message} Or set allow_partial = true: then core_metric_partial is measured on excerpts that come with the package.`,
      { cause: error, details },
    );
  });
  if (folder === undefined) {
    const excerpts = dirname(EXCERPT_SOURCES);
    return {
      folder: excerpts,
      tasks: coreTasks,
      isCore: true,
      baselines: undefined,
      excerpts: EXCERPT_SOURCES,
    };
  }
  const list = await textOf(join(folder, "core.yaml"));
  const table = await textOf(join(folder, "eval_meta_data.csv"));
  const tasks = list === undefined ? coreTasks : parseCoreYaml(list, join(folder, "core.yaml"));
  return {
    folder,
    tasks,
    isCore: list === undefined || sameTasks(tasks, coreTasks),
    baselines: table === undefined ? undefined : parseBaselines(table, join(folder, "eval_meta_data.csv")),
    excerpts: undefined,
  };
}

/** Whether the bundle is nowhere because the network is out of reach, and no folder of it was named. */
function isReplaceable(
  { bundle_dir: named }: CoreConfig,
  error: unknown,
  { settings }: HubEnvironment,
): error is ElenchusError {
  if (named !== undefined || !(error instanceof ElenchusError)) return false;
  return error.code === "HUB_UNREACHABLE" || (settings.offline && error.code === "HUB_NOT_FOUND");
}

async function bundleFolder(config: CoreConfig, hub: HubEnvironment): Promise<string> {
  const { bundle_dir: named, data_dir: local, bundle_urls: addresses, bundle_sha256: sha256 } = config;
  const given = resolve(named ?? local ?? nanochatFolder());
  if (given.endsWith(".zip")) {
    const beside = given.slice(0, -".zip".length);
    if (!(await exists(beside))) await unpackZip(given, beside);
    return beside;
  }
  for (const folder of [given, join(given, "eval_bundle")]) {
    if (await exists(join(folder, "eval_data"))) return folder;
  }
  const archive = join(given, "eval_bundle.zip");
  const fetches = named !== undefined || local === undefined;
  if (!fetches && !(await exists(archive))) return given;
  const file = { name: "CORE's bundle", addresses, target: archive, sha256, check: requireZip };
  await fetchFile(file, hub).catch((error: unknown) => {
    if (!(error instanceof ElenchusError && error.code.startsWith("HUB_")) || hub.settings.offline)
      throw error;
    const mend = `Name an address that has it with bundle_urls, put the archive at ${archive}, or name its folder with bundle_dir.`;
    throw new ElenchusError(error.code, `${error.message}\n${mend}`, {
      cause: error,
      details: { option: "bundle_urls" },
    });
  });
  await unpackZip(archive, join(given, "eval_bundle"));
  return join(given, "eval_bundle");
}

/** A page that says that there is nothing comes with the status of success from some servers. */
async function requireZip(path: string): Promise<void> {
  await withZip(path, async () => {}).catch(() => {
    throw new ElenchusError("HUB_INVALID", "what came is no zip archive");
  });
}

function sameTasks(some: readonly CoreSpec[], others: readonly CoreSpec[]): boolean {
  const told = ({ label, form, shots, file, delimiter = " " }: CoreSpec) =>
    JSON.stringify([label, form, shots, file, delimiter]);
  return some.length === others.length && some.every((one, place) => told(one) === told(others[place]!));
}

async function textOf(path: string): Promise<string | undefined> {
  return (await exists(path)) ? await readFile(path, "utf8") : undefined;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
