import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, stat, statfs } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { ElenchusError, messageOf, PassingFailure, syncFolder } from "../base/index.js";
import { type HubConnection, readBody, request, throwIfStopped, withAttempts } from "./hubConnection.js";

/** A file to be fetched. */
export interface Download {
  readonly address: string;
  /** The file's name, for messages and progress. */
  readonly name: string;
  /** Where the whole file goes; `<target>.incomplete` beside it holds what is there so far. */
  readonly target: string;
  readonly bytes?: number | undefined;
  /** What the content must be. With neither, what the hub's answer says counts. */
  readonly sha256?: string | undefined;
  readonly blobId?: string | undefined;
}

/**
 * Fetches a file and puts it into place whole, or not at all. What an earlier attempt or process has left in
 * `<target>.incomplete` is gone on with by a range request. Size and checksum are verified.
 * @throws HUB_CORRUPT, HUB_REFUSED, HUB_NOT_FOUND, HUB_UNREACHABLE, PATH_UNWRITABLE, INTERRUPTED
 */
export async function downloadFile(connection: HubConnection, download: Download): Promise<void> {
  const { target, name } = download;
  const partial = `${target}.incomplete`;
  try {
    await mkdir(dirname(target), { recursive: true });
    let received = await sizeOf(partial);
    let spoilt = 0;
    await withAttempts(
      connection,
      name,
      async () => {
        try {
          const expected = await fetchRest(connection, download, partial, (bytes) => {
            received = bytes;
          });
          await verify(partial, { ...expected, ...definite(download) }, name, connection.plain);
        } catch (error) {
          if (!(error instanceof ElenchusError) || error.code !== "HUB_CORRUPT") throw error;
          // What was there before may have been of another content: once more from the beginning.
          await rm(partial, { force: true });
          if (++spoilt > 1) throw error;
          throw new PassingFailure(error.message.replace(/\.$/, ""), 0, { cause: error });
        }
      },
      () => Math.floor(received / PROGRESS_STEP),
    );
    await rename(partial, target);
    await syncFolder(dirname(target));
  } catch (error) {
    throw asUnwritable(error, target, connection.plain);
  }
}

/** An attempt that brings less than this counts as one that came no further. */
const PROGRESS_STEP = 2 ** 20;
/** Space that is left on the disk. */
const SPARE_BYTES = 2 ** 20;

interface Expected {
  readonly bytes?: number;
  readonly sha256?: string;
  readonly blobId?: string;
}

/** Appends to the partial file what is missing, and tells what the hub says of the whole. */
async function fetchRest(
  connection: HubConnection,
  download: Download,
  partial: string,
  received: (bytes: number) => void,
): Promise<Expected> {
  const { name } = download;
  let offset = await sizeOf(partial);
  if (download.bytes !== undefined && offset > download.bytes) {
    await rm(partial, { force: true });
    offset = 0;
  }
  if (offset > 0 && offset === download.bytes) return {};
  const answer = await request(
    connection,
    download.address,
    name,
    offset > 0 ? { range: `bytes=${offset}-` } : {},
  );
  const { response } = answer;
  if (response.status === 416) {
    answer.abort();
    await rm(partial, { force: true });
    throw new PassingFailure("there is no such range", 0);
  }
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers.get("content-range") ?? "");
  const resumes = response.status === 206 && Number(range?.[1]) === offset;
  if (response.status === 206 && !resumes) {
    answer.abort();
    await rm(partial, { force: true });
    throw new PassingFailure("another range came than was asked for", 0);
  }
  // A hub that does not know ranges sends the whole file.
  if (!resumes) offset = 0;
  const told = toldBy(answer.header, response, offset);
  const total = download.bytes ?? told.bytes;
  if (total !== undefined) await checkSpace(partial, total - offset);

  const file = await open(partial, resumes ? "a" : "w");
  try {
    for await (const chunk of readBody(connection, answer)) {
      offset += chunk.length;
      if (total !== undefined && offset > total) {
        throw new ElenchusError(
          "HUB_CORRUPT",
          `${name} is longer than the ${total} bytes that were announced.`,
        );
      }
      await writeAll(file, chunk);
      received(offset);
      connection.progress?.({ file: name, received: offset, total });
      throwIfStopped(connection.signal);
    }
    await file.sync();
  } finally {
    answer.abort();
    await file.close();
  }
  if (total !== undefined && offset < total) {
    throw new PassingFailure(`the transfer ended after ${offset} of ${total} bytes`);
  }
  return told;
}

/** Size and checksum from the answers' headers. */
function toldBy(header: (name: string) => string | undefined, response: Response, offset: number): Expected {
  const length = response.headers.get("content-length");
  const linked = header("x-linked-size");
  const bytes =
    linked !== undefined ? Number(linked) : length === null ? Number.NaN : offset + Number(length);
  const tag = (header("x-linked-etag") ?? header("etag") ?? "").replace(/^W\//, "").replace(/^"|"$/g, "");
  return {
    ...(Number.isInteger(bytes) && bytes >= 0 ? { bytes } : {}),
    ...(/^[0-9a-f]{64}$/.test(tag) ? { sha256: tag } : {}),
    ...(/^[0-9a-f]{40}$/.test(tag) ? { blobId: tag } : {}),
  };
}

async function verify(
  path: string,
  { bytes, sha256, blobId }: Expected,
  name: string,
  plain = false,
): Promise<void> {
  const size = await sizeOf(path);
  if (bytes !== undefined && size !== bytes) {
    throw new ElenchusError(
      "HUB_CORRUPT",
      `${name} came with ${size} bytes. Expected ${bytes}; fetch it again.`,
    );
  }
  const [found, expected] =
    sha256 !== undefined
      ? [await digest(path, createHash("sha256")), sha256]
      : blobId !== undefined
        ? [await digest(path, createHash("sha1").update(`blob ${size}\0`)), blobId]
        : ["", ""];
  if (found !== expected) {
    throw new ElenchusError(
      "HUB_CORRUPT",
      `${name} came with the checksum ${found}. Expected ${expected}; fetch it again${plain ? "" : ", or check HF_ENDPOINT"}.`,
    );
  }
}

async function digest(path: string, hash: Hash): Promise<string> {
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

async function checkSpace(path: string, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(path));
  if (needed + SPARE_BYTES <= bavail * bsize) return;
  throw new ElenchusError(
    "PATH_UNWRITABLE",
    `${dirname(path)} has ${bavail * bsize} bytes free. Expected ${needed} for ${basename(path)}; make room, or set HF_HUB_CACHE to a folder with more.`,
  );
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.length; ) done += (await file.write(chunk, done)).bytesWritten;
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    (file) => file.size,
    () => 0,
  );
}

function definite({ bytes, sha256, blobId }: Download): Expected {
  return {
    ...(bytes === undefined ? {} : { bytes }),
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(blobId === undefined ? {} : { blobId }),
  };
}

/** Errors of the file system as one that says which folder and what to do. */
export function asUnwritable(error: unknown, path: string, plain = false): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (error instanceof ElenchusError || code === undefined) return error;
  if (!["ENOSPC", "EDQUOT", "EACCES", "EPERM", "EROFS", "ENOTDIR", "EFBIG"].includes(code)) return error;
  const full = code === "ENOSPC" || code === "EDQUOT" ? "The disk is full" : "It cannot be written";
  return new ElenchusError(
    "PATH_UNWRITABLE",
    `${full}: ${path} (${messageOf(error)}). Make room, or ${plain ? "choose" : "set HF_HUB_CACHE to"} a folder that can be written; what is there of the download is kept.`,
    { cause: error },
  );
}
