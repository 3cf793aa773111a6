import { createHash } from "node:crypto";
import { copyFile, link, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type Logger, makeFolder, messageOf, namesIn, writeAtomic } from "../../base/index.js";
import { type Downloaded, type DownloadLimits, downloadTable } from "./downloadTable.js";

/** Where fetched files are kept, and how much of them. */
export interface DownloadCache {
  readonly folder: string;
  /** Bytes of all files; those used longest ago make room. */
  readonly bytes: number;
  /** Hears of what cannot be kept. Default: nobody. */
  readonly logger?: Logger | undefined;
}

const factsSchema = z.object({
  url: z.url(),
  contentType: z.string().optional(),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  /** Name of the file, of that version and no other. */
  table: z.string().regex(/^[0-9a-f]{32}\.[0-9a-f]{16}\.table$/),
});

/**
 * As `downloadTable`; a file that its server names a version of is kept, and fetched again only when the server says
 * that it has changed. Who may be asked is checked each time, since the server is. A folder that cannot be written
 * ends the keeping, with a warning, and nothing else.
 */
export async function cachedDownload(
  address: string,
  file: string,
  cache: DownloadCache,
  limits: DownloadLimits = {},
  signal?: AbortSignal,
): Promise<Downloaded> {
  const { folder, logger } = cache;
  const key = digestOf(address, 32);
  const known = await readFacts(join(folder, `${key}.json`));
  const table = known && join(folder, known.table);
  // Linked first: whoever makes room meanwhile takes the name away, not the file.
  const kept = `${file}.kept`;
  const held = table !== undefined && (await linked(table, kept));
  const found = await downloadTable(address, file, held ? { ...limits, known } : limits, signal);
  if (found.unchanged && table !== undefined) {
    await rename(kept, file);
    await utimes(table, new Date(), new Date()).catch(() => {});
    return { ...found, url: new URL(known!.url), contentType: known!.contentType };
  }
  await rm(kept, { force: true });
  await keep(found, file, key, cache).catch((error: unknown) => {
    logger?.warn(
      `${folder} cannot keep what was fetched: ${messageOf(error)}. It is fetched anew each time.`,
    );
  });
  return found;
}

/** The version is in the name, so that facts never stand beside the file of another version that came meanwhile. */
async function keep(
  { url, contentType, etag, lastModified }: Downloaded,
  file: string,
  key: string,
  { folder, bytes }: DownloadCache,
): Promise<void> {
  const version = etag ?? lastModified;
  if (version === undefined || (await stat(file)).size > bytes) return;
  await makeFolder(folder);
  const table = `${key}.${digestOf(version, 16)}.table`;
  const whole = join(folder, `${table}.${process.pid}.${Math.random().toString(36).slice(2)}.part`);
  try {
    await link(file, whole).catch(() => copyFile(file, whole));
    await rename(whole, join(folder, table));
  } finally {
    await rm(whole, { force: true });
  }
  const facts = { url: url.href, contentType, etag, lastModified, table };
  await writeAtomic(join(folder, `${key}.json`), JSON.stringify(facts));
  for (const name of await namesIn(folder)) {
    if (name.startsWith(`${key}.`) && name.endsWith(".table") && name !== table)
      await rm(join(folder, name), { force: true });
  }
  await makeRoom(folder, bytes);
}

/** Milliseconds after which nobody is writing a partial file any more. */
const ABANDONED = 3_600_000;

async function makeRoom(folder: string, bytes: number): Promise<void> {
  const found = await Promise.all(
    (await namesIn(folder))
      .filter((name) => /\.(table|part)$/.test(name))
      .map(async (name) => ({ name, ...(await sizeOf(join(folder, name))) })),
  );
  const partial = found.filter(({ name }) => name.endsWith(".part"));
  let sum = 0;
  for (const { name, size, used } of partial) {
    if (Date.now() - used > ABANDONED) await rm(join(folder, name), { force: true });
    else sum += size;
  }
  const whole = found.filter((one) => !partial.includes(one));
  for (const { name, size } of whole.sort((one, other) => other.used - one.used)) {
    sum += size;
    if (sum <= bytes) continue;
    await rm(join(folder, name.replace(/\..*$/, ".json")), { force: true });
    await rm(join(folder, name), { force: true });
  }
}

async function sizeOf(path: string): Promise<{ size: number; used: number }> {
  // Another process may have taken it away.
  const found = await stat(path).catch(() => undefined);
  return { size: found?.size ?? 0, used: found?.mtimeMs ?? 0 };
}

async function readFacts(path: string): Promise<z.output<typeof factsSchema> | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return factsSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** A second name for a file, or a copy where names cannot be. @returns false where there is no such file */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to).catch(() => copyFile(from, to));
    return true;
  } catch {
    return false;
  }
}

function digestOf(text: string, characters: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, characters);
}
