import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { ElenchusError } from "../base/index.js";
import { asUnwritable, downloadFile } from "./downloadFile.js";
import { withFileLock } from "./fileLock.js";
import { matchesPattern } from "./filePattern.js";
import { createHubCache, type HubCache } from "./hubCache.js";
import type { HubEnvironment, HubFiles, HubRequest } from "./hubRequest.js";
import { listFolder } from "./listFolder.js";
import {
  fileAddress,
  listRepository,
  type Repository,
  type RepositoryFile,
  type RepositoryListing,
} from "./repository.js";
import { checkFileName, checkRepositoryName, checkRevision } from "./safeNames.js";

/**
 * The files of a model or data set on this machine. A local folder of that name counts first, without any network;
 * then the cache, if all that is asked for is in it; else the missing files are fetched. A branch that is in the
 * cache stays at its commit until `refresh` asks for the newest.
 * @throws HUB_NOT_FOUND, HUB_REFUSED, HUB_UNREACHABLE, HUB_CORRUPT, HUB_INVALID, INPUT_UNREADABLE for names,
 *   PATH_UNWRITABLE, INTERRUPTED
 */
export async function resolveFiles(request: HubRequest, environment: HubEnvironment): Promise<HubFiles> {
  for (const file of request.files ?? []) checkFileName(file);
  const local = await localFolder(request.name);
  if (local !== undefined) return localFiles(local, request);

  const repository: Repository = {
    kind: request.kind,
    name: checkRepositoryName(request.name),
    revision: checkRevision(request.revision ?? "main"),
  };
  const cache = createHubCache(environment.settings.cacheFolder, repository);
  const { offline } = environment.settings;
  if (offline || !request.refresh) {
    const cached = await cachedFiles(cache, repository, request, offline);
    if (cached !== undefined) return cached;
  }
  try {
    return await fetchedFiles(cache, repository, request, environment);
  } catch (error) {
    throw asUnwritable(error, cache.folder);
  }
}

/**
 * The names of all files of a repository, sorted, without fetching any: of a local folder of that name, from the
 * cache, or from the hub.
 * @throws HUB_NOT_FOUND, also offline for a repository whose list is not in the cache; else as `resolveFiles`
 */
export async function listFiles(
  request: Pick<HubRequest, "kind" | "name" | "revision" | "refresh">,
  environment: HubEnvironment,
): Promise<string[]> {
  const local = await localFolder(request.name);
  if (local !== undefined) return listFolder(local);
  // Asking for nothing of it leaves the list in the cache.
  const { commit, folder } = await resolveFiles({ ...request, patterns: [] }, environment);
  const repository: Repository = {
    kind: request.kind,
    name: checkRepositoryName(request.name),
    revision: checkRevision(request.revision ?? "main"),
  };
  const cache = createHubCache(environment.settings.cacheFolder, repository);
  const listing = commit === undefined ? undefined : await cache.listing(commit);
  const names = listing?.files.map(({ name }) => name) ?? (await listFolder(folder));
  return names.sort();
}

async function localFolder(name: string): Promise<string | undefined> {
  if (name.trim() === "") return undefined;
  const path = resolve(name);
  const isFolder = await stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (isFolder) return path;
  if (isAbsolute(name) || /^\.{1,2}[/\\]|^~|\\/.test(name)) {
    throw new ElenchusError(
      "INPUT_UNREADABLE",
      `There is no folder ${path}. Expected a folder, or a repository's name such as "owner/name".`,
      { details: { name } },
    );
  }
  return undefined;
}

async function localFiles(folder: string, request: HubRequest): Promise<HubFiles> {
  const chosen = choose(await listFolder(folder), request);
  if (chosen.missing.length > 0) {
    throw new ElenchusError(
      "HUB_NOT_FOUND",
      `The folder ${folder} lacks ${chosen.missing.join(", ")}. Add what is missing, or give another folder or repository.`,
      { details: { missing: chosen.missing } },
    );
  }
  return { folder, source: "local", commit: undefined, files: pathsIn(folder, chosen.names) };
}

/** What is asked for from the cache; undefined where something may be missing and the network may be asked. */
async function cachedFiles(
  cache: HubCache,
  { kind, name, revision }: Repository,
  request: HubRequest,
  offline: boolean,
): Promise<HubFiles | undefined> {
  const commit = await cache.commitOf(revision);
  const present = commit === undefined ? [] : await cache.present(commit);
  const listing = commit === undefined ? undefined : await cache.listing(commit);
  // Without a list of all files nobody knows what a pattern would match.
  const known =
    listing?.files.map((file) => file.name) ?? (namesOnly(request) || offline ? present : undefined);
  if (commit === undefined || known === undefined || present.length === 0) {
    if (!offline) return undefined;
    throw new ElenchusError(
      "HUB_NOT_FOUND",
      `The ${kind === "dataset" ? "data set" : kind} ${name} at ${revision} is not in the cache ${cache.folder}, and the hub must not be asked (offline). Fetch it once without HF_HUB_OFFLINE, or give a local folder.`,
    );
  }
  const chosen = choose(known, request);
  const has = new Set(present);
  const missing = [...chosen.missing, ...chosen.names.filter((file) => !has.has(file))];
  if (missing.length === 0) {
    const folder = cache.snapshot(commit);
    return { folder, source: "cache", commit, files: pathsIn(folder, chosen.names) };
  }
  if (!offline) return undefined;
  throw new ElenchusError(
    "HUB_NOT_FOUND",
    `The cache lacks ${missing.join(", ")} of ${name} at ${revision}, and the hub must not be asked (offline). Fetch them once without HF_HUB_OFFLINE.`,
    { details: { missing } },
  );
}

async function fetchedFiles(
  cache: HubCache,
  repository: Repository,
  request: HubRequest,
  environment: HubEnvironment,
): Promise<HubFiles> {
  const listing = await listRepository(environment, repository);
  const chosen = choose(
    listing.files.map((file) => file.name),
    request,
  );
  if (chosen.missing.length > 0) {
    throw new ElenchusError(
      "HUB_NOT_FOUND",
      `${repository.name} at ${repository.revision} has no ${chosen.missing.join(", ")}. Check the names, or choose another revision.`,
      { details: { missing: chosen.missing } },
    );
  }
  const byName = new Map(listing.files.map((file) => [file.name, file]));
  const has = new Set(await cache.present(listing.commit));
  for (const name of chosen.names) {
    if (!has.has(name)) await fetchFile(cache, repository, listing, byName.get(name)!, environment);
  }
  // Last, so that a commit that is named in the cache has what was asked of it.
  await cache.rememberListing(listing);
  await cache.rememberCommit(repository.revision, listing.commit);
  const folder = cache.snapshot(listing.commit);
  return { folder, source: "download", commit: listing.commit, files: pathsIn(folder, chosen.names) };
}

async function fetchFile(
  cache: HubCache,
  repository: Repository,
  { commit }: RepositoryListing,
  file: RepositoryFile,
  environment: HubEnvironment,
): Promise<void> {
  const { settings, logger, signal } = environment;
  const checksum =
    file.sha256 ?? file.blobId ?? createHash("sha256").update(`${commit}/${file.name}`).digest("hex");
  const target = cache.blob(checksum);
  const onWait = () => logger.info(`waiting for another process that fetches ${file.name}`);
  await withFileLock(cache.lock(checksum), { onWait, signal }, async () => {
    const there = await stat(target).then(
      (entry) => file.bytes === undefined || entry.size === file.bytes,
      () => false,
    );
    if (!there) {
      logger.info(
        `fetching ${file.name} of ${repository.name}${file.bytes === undefined ? "" : ` (${file.bytes} bytes)`}`,
      );
      const address = fileAddress(settings.endpoint, repository, commit, file.name);
      await downloadFile(environment, { address, target, ...file });
    }
    await cache.place(target, commit, file.name);
  });
}

function namesOnly({ files, patterns }: HubRequest): boolean {
  return files !== undefined && (patterns === undefined || patterns.length === 0);
}

/** What of the files there are is asked for, and what is asked for but not there. */
function choose(
  names: readonly string[],
  { files, patterns }: HubRequest,
): { names: string[]; missing: string[] } {
  const has = new Set(names);
  if (files === undefined && patterns === undefined) return { names: [...names].sort(), missing: [] };
  const matched = names.filter((name) => patterns?.some((pattern) => matchesPattern(name, pattern)));
  const wanted = new Set([...(files ?? []).filter((file) => has.has(file)), ...matched]);
  return { names: [...wanted].sort(), missing: (files ?? []).filter((file) => !has.has(file)) };
}

function pathsIn(folder: string, names: readonly string[]): Map<string, string> {
  return new Map(names.map((name) => [name, join(folder, name)]));
}
