import { createHash } from "node:crypto";
import { copyFile, link, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { makeFolder, namesIn, writeAtomic } from "../../base/index.js";
import { type Downloaded, type DownloadLimits, downloadTable } from "./downloadTable.js";

/** Where fetched files are kept, and how much of them. */
export interface DownloadCache {
  readonly folder: string;
  /** Bytes of all files; those used longest ago make room. */
  readonly bytes: number;
}

const factsSchema = z.object({
  url: z.url(),
  contentType: z.string().optional(),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
});

/**
 * As `downloadTable`; a file that its server names a version of is kept, and fetched again only when the server says
 * that it has changed. Who may be asked is checked each time, since the server is.
 */
export async function cachedDownload(
  address: string,
  file: string,
  { folder, bytes }: DownloadCache,
  limits: DownloadLimits = {},
  signal?: AbortSignal,
): Promise<Downloaded> {
  const key = createHash("sha256").update(address).digest("hex").slice(0, 32);
  const [table, facts] = [join(folder, `${key}.table`), join(folder, `${key}.json`)];
  const known = await readFacts(facts);
  // Linked first: whoever makes room meanwhile takes the name away, not the file.
  const kept = `${file}.kept`;
  const held = known !== undefined && (await linked(table, kept));
  const found = await downloadTable(address, file, held ? { ...limits, known } : limits, signal);
  if (found.unchanged && known !== undefined) {
    await rename(kept, file);
    await utimes(table, new Date(), new Date()).catch(() => {});
    const { contentType } = known;
    return { ...found, url: new URL(known.url), contentType };
  }
  await rm(kept, { force: true });
  await keep(found, file, { table, facts, folder, bytes });
  return found;
}

async function keep(
  { url, contentType, etag, lastModified }: Downloaded,
  file: string,
  { table, facts, folder, bytes }: { table: string; facts: string } & DownloadCache,
): Promise<void> {
  if (etag === undefined && lastModified === undefined) return;
  if ((await stat(file)).size > bytes) return;
  await makeFolder(folder);
  const whole = `${table}.${process.pid}.${Math.random().toString(36).slice(2)}.part`;
  if (!(await linked(file, whole))) return;
  // Without facts nobody takes the file; with those of another version the server would say so.
  await rm(facts, { force: true });
  await rename(whole, table);
  await writeAtomic(facts, JSON.stringify({ url: url.href, contentType, etag, lastModified }));
  await makeRoom(folder, bytes);
}

async function makeRoom(folder: string, bytes: number): Promise<void> {
  const found = await Promise.all(
    (await namesIn(folder))
      .filter((name) => name.endsWith(".table"))
      .map(async (name) => ({ name, ...(await sizeOf(join(folder, name))) })),
  );
  let sum = 0;
  for (const { name, size } of found.sort((one, other) => other.used - one.used)) {
    sum += size;
    if (sum <= bytes) continue;
    await rm(join(folder, name.replace(/table$/, "json")), { force: true });
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
