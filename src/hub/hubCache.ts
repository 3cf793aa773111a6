import { copyFile, mkdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { writeAtomic } from "../base/index.js";
import { listFolder } from "./listFolder.js";
import {
  formatListing,
  parseListing,
  type Repository,
  type RepositoryListing,
  repositoryFolder,
} from "./repository.js";
import { isCommit } from "./safeNames.js";

/**
 * A repository's place in the cache, laid out as Hugging Face's own clients have it: `blobs/<checksum>`,
 * `snapshots/<commit>/<file>` as links to blobs, `refs/<revision>` with the commit; and `listings/<commit>.json`,
 * ours, which says what there is.
 */
export interface HubCache {
  readonly folder: string;
  /** The commit that a revision stood at when it was last fetched. */
  commitOf(revision: string): Promise<string | undefined>;
  rememberCommit(revision: string, commit: string): Promise<void>;
  listing(commit: string): Promise<RepositoryListing | undefined>;
  rememberListing(listing: RepositoryListing): Promise<void>;
  snapshot(commit: string): string;
  /** Files of a snapshot that are there, by name. */
  present(commit: string): Promise<string[]>;
  blob(checksum: string): string;
  lock(checksum: string): string;
  /** Puts a blob into a snapshot. */
  place(blob: string, commit: string, file: string): Promise<void>;
}

export function createHubCache(cacheFolder: string, repository: Repository): HubCache {
  const folder = repositoryFolder(cacheFolder, repository);
  const snapshot = (commit: string) => join(folder, "snapshots", commit);
  const listingFile = (commit: string) => join(folder, "listings", `${commit}.json`);
  const text = (path: string) => readFile(path, "utf8").catch(() => undefined);
  return {
    folder,
    async commitOf(revision) {
      if (isCommit(revision)) return revision;
      const commit = (await text(join(folder, "refs", revision)))?.trim();
      return commit !== undefined && isCommit(commit) ? commit : undefined;
    },
    async rememberCommit(revision, commit) {
      if (isCommit(revision)) return;
      const path = join(folder, "refs", revision);
      await mkdir(dirname(path), { recursive: true });
      await writeAtomic(path, commit);
    },
    async listing(commit) {
      const content = await text(listingFile(commit));
      return content === undefined ? undefined : parseListing(content);
    },
    async rememberListing(listing) {
      await mkdir(dirname(listingFile(listing.commit)), { recursive: true });
      await writeAtomic(listingFile(listing.commit), formatListing(listing));
    },
    snapshot,
    present: (commit) => listFolder(snapshot(commit)),
    blob: (checksum) => join(folder, "blobs", checksum),
    lock: (checksum) => join(folder, "locks", `${checksum}.lock`),
    async place(blob, commit, file) {
      const path = join(snapshot(commit), file);
      if (await exists(path)) return;
      await mkdir(dirname(path), { recursive: true });
      const temporary = `${path}.${process.pid}.link`;
      await rm(temporary, { force: true });
      try {
        await symlink(relative(dirname(path), blob), temporary);
      } catch {
        // Not every file system has links.
        await copyFile(blob, temporary);
      }
      await rename(temporary, path);
    },
  };
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    (file) => file.isFile(),
    () => false,
  );
}
