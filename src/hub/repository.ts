import { join } from "node:path";
import { z } from "zod";
import { ElenchusError } from "../base/index.js";
import { fetchText, type HubConnection } from "./hubConnection.js";
import { isCommit, isSafePath } from "./safeNames.js";

/** A repository at a revision. */
export interface Repository {
  readonly kind: "model" | "dataset";
  readonly name: string;
  readonly revision: string;
}

/** A file of a repository, with what the hub tells about it. */
export interface RepositoryFile {
  readonly name: string;
  readonly bytes?: number | undefined;
  /** SHA-256 of the content, for files in large-file storage. */
  readonly sha256?: string | undefined;
  /** Git's SHA-1 of the content, for the others. */
  readonly blobId?: string | undefined;
}

/** The files of a repository at one commit. */
export interface RepositoryListing {
  readonly commit: string;
  readonly files: readonly RepositoryFile[];
}

/** The folder of the cache that belongs to a repository. */
export function repositoryFolder(cacheFolder: string, { kind, name }: Repository): string {
  return join(cacheFolder, `${kind}s--${name.replaceAll("/", "--")}`);
}

/** Where a file of a repository is to be had. */
export function fileAddress(
  endpoint: string,
  { kind, name }: Repository,
  commit: string,
  file: string,
): string {
  const path = file.split("/").map(encodeURIComponent).join("/");
  return `${endpoint}/${kind === "dataset" ? "datasets/" : ""}${name}/resolve/${encodeURIComponent(commit)}/${path}`;
}

/** Asks the hub for the commit that a revision stands at, and for its files. */
export async function listRepository(
  connection: HubConnection,
  repository: Repository,
): Promise<RepositoryListing> {
  const { kind, name, revision } = repository;
  const address = `${connection.settings.endpoint}/api/${kind}s/${name}/revision/${encodeURIComponent(revision)}?blobs=true`;
  const text = await fetchText(connection, address, `${kind} ${name} at ${revision}`);
  const listing = parseListing(text);
  if (listing !== undefined) return listing;
  throw new ElenchusError(
    "HUB_INVALID",
    `The hub's list of files of ${name} at ${revision} is not what a hub sends. Expected JSON with a commit and safe file names from ${connection.settings.endpoint}; check HF_ENDPOINT.`,
  );
}

/** A list of files as the hub sends it and the cache keeps it. */
export function parseListing(text: string): RepositoryListing | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = listingSchema.safeParse(document);
  if (!parsed.success) return undefined;
  return {
    commit: parsed.data.sha,
    files: parsed.data.siblings.map((file) => ({
      name: file.rfilename,
      bytes: file.size ?? undefined,
      sha256: file.lfs?.sha256 ?? undefined,
      blobId: file.lfs ? undefined : (file.blobId ?? undefined),
    })),
  };
}

/** The text that `parseListing` reads. */
export function formatListing({ commit, files }: RepositoryListing): string {
  const siblings = files.map(({ name, bytes, sha256, blobId }) => ({
    rfilename: name,
    size: bytes,
    blobId,
    ...(sha256 === undefined ? {} : { lfs: { sha256 } }),
  }));
  return JSON.stringify({ sha: commit, siblings });
}

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
const listingSchema = z.object({
  sha: z.string().refine(isCommit),
  siblings: z
    .array(
      z.object({
        rfilename: z.string().refine(isSafePath),
        size: z.int().min(0).nullish(),
        blobId: hex(40).nullish(),
        lfs: z.object({ sha256: hex(64).nullish() }).nullish(),
      }),
    )
    .max(1_000_000),
});
