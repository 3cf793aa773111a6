import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { arch, cpus, hostname, platform, release, totalmem } from "node:os";
import { z } from "zod";
import { ElenchusError, messageOf, writeAtomic } from "../base/index.js";
import { type Config, redact } from "../config/index.js";

const SCHEMA = 1;

const columnSchema = z.object({
  evaluator: z.string().nullable(),
  metric: z.string(),
  higher_is_better: z.boolean().nullable(),
  unit: z.string().nullable(),
});

const parentSchema = z.object({
  run_id: z.string(),
  round: z.int().nonnegative(),
  weights_sha256: z.string(),
});

const manifestSchema = z.object({
  schema: z.literal(SCHEMA),
  run_id: z.string(),
  /** Name of the configuration. */
  name: z.string(),
  status: z.enum(["running", "completed", "failed", "interrupted"]),
  /** Times in UTC, ISO 8601; `end` is null while the run goes on. */
  start: z.string(),
  end: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  parent: parentSchema.nullable(),
  /** Keys that were changed when the run was resumed, and the first round made with the new values. */
  changes: z
    .array(z.object({ round: z.int().nonnegative(), key: z.string(), was: z.unknown(), is: z.unknown() }))
    .default([]),
  /** Evaluators that were run on its checkpoints afterwards, with their tables and the rounds they grew. */
  backfills: z
    .array(z.object({ time: z.string(), rounds: z.array(z.int().nonnegative()), evaluation: z.unknown() }))
    .default([]),
  /** `random_seed` of each section that has one. */
  seeds: z.record(z.string(), z.number()),
  versions: z.record(z.string(), z.string()),
  /** The compute back end; null until it is known. */
  backend: z.string().nullable(),
  host: z.record(z.string(), z.union([z.string(), z.number()])),
  /** Modules of the user's that every process of the run loaded. */
  imports: z.array(z.string()).default([]),
  /** The round of the CSV's first row; null before there is one. */
  first_round: z.int().nonnegative().nullable(),
  columns: z.record(z.string(), columnSchema),
  /** The resolved configuration without `server.token`. */
  config: z.unknown(),
});

/** `run.json`. */
export type Manifest = z.output<typeof manifestSchema>;
/** How a run stands. */
export type RunStatus = Manifest["status"];
/** The checkpoint a run began from. */
export type ParentCheckpoint = z.output<typeof parentSchema>;

/** What a new manifest says of its run. */
export interface ManifestInit {
  readonly runId: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly config: unknown;
  readonly parent?: ParentCheckpoint | null | undefined;
  readonly backend?: string | null | undefined;
  readonly imports?: readonly string[] | undefined;
}

/** The manifest of a run that begins now, on this machine. */
export function newManifest({
  runId,
  name,
  start,
  config,
  parent,
  backend,
  imports,
}: ManifestInit): Manifest {
  return {
    schema: SCHEMA,
    run_id: runId,
    name,
    status: "running",
    start: new Date(start).toISOString(),
    end: null,
    error: null,
    parent: parent ?? null,
    changes: [],
    backfills: [],
    seeds: seedsIn(config),
    versions: currentVersions(),
    backend: backend ?? null,
    host: host(),
    imports: [...(imports ?? [])],
    first_round: null,
    columns: {},
    config: recordedConfig(config),
  };
}

/** Writes `run.json`, whole or not at all. */
export async function writeManifest(path: string, manifest: Manifest): Promise<void> {
  await writeAtomic(path, `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * Reads `run.json`; null when there is none.
 * @throws RECORD_CORRUPT when it is not what was written
 */
export async function readManifest(path: string): Promise<Manifest | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new ElenchusError(
      "RECORD_CORRUPT",
      `${path} is not the manifest of a run: ${messageOf(error)}. Restore it, or remove it to go without.`,
      { cause: error, details: { file: path } },
    );
  }
}

/** A configuration as it may be written down: never with the token. */
function recordedConfig(config: unknown): unknown {
  const server: unknown = (config as { server?: unknown } | null | undefined)?.server;
  return typeof server === "object" && server !== null ? redact(config as Config) : (config ?? null);
}

function seedsIn(config: unknown): Record<string, number> {
  if (typeof config !== "object" || config === null) return {};
  const seeds = Object.entries(config).map(([section, table]) => [section, table?.random_seed]);
  return Object.fromEntries(seeds.filter(([, seed]) => typeof seed === "number"));
}

/** Versions of the product as it is now, of Node and of the packages the product is pinned to. */
export function currentVersions(): Record<string, string> {
  const own = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
    dependencies: Record<string, string>;
  };
  return { elenchus: own.version, node: process.versions.node, v8: process.versions.v8, ...own.dependencies };
}

function host(): Record<string, string | number> {
  return {
    name: hostname(),
    platform: platform(),
    release: release(),
    arch: arch(),
    cpu: cpus()[0]?.model ?? "unknown",
    cpus: cpus().length,
    memory_bytes: totalmem(),
  };
}
