import { createWriteStream } from "node:fs";
import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ElenchusError, messageOf } from "../../base/index.js";
import { publicAddress, type Resolver } from "./publicAddress.js";

/** What may be fetched from an address. */
export interface DownloadLimits {
  /** Whether addresses of this machine and of private networks may be asked. Default false. */
  readonly allowPrivate?: boolean | undefined;
  /** Bytes of one file. Default 1 GiB. */
  readonly largestFile?: number | undefined;
  /** Milliseconds until it has come. Default 300,000. */
  readonly timeout?: number | undefined;
  /** Default: the system's. */
  readonly resolver?: Resolver | undefined;
  /** The version that is here already: where the server still has that one, nothing is fetched. */
  readonly known?:
    | { readonly etag?: string | undefined; readonly lastModified?: string | undefined }
    | undefined;
}

/** What was fetched. */
export interface Downloaded {
  /** Where it came from in the end. */
  readonly url: URL;
  /** As the server names it. */
  readonly contentType: string | undefined;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  /** Nothing was written: the server has the version that is known. */
  readonly unchanged: boolean;
}

const LARGEST_FILE = 2 ** 30;
const TIMEOUT = 300_000;
const MOST_REDIRECTS = 5;

/**
 * Fetches what is at an http(s) address into a file. Every address on the way, redirects included, is looked up and
 * checked before it is asked.
 * @throws ADDRESS_REFUSED for a private address, a redirect to another protocol, or an address with a password;
 *   INPUT_TOO_LARGE; INPUT_UNREADABLE for an answer other than 200; DEADLINE_EXCEEDED; the signal's reason
 */
export async function downloadTable(
  address: string,
  file: string,
  limits: DownloadLimits = {},
  signal?: AbortSignal,
): Promise<Downloaded> {
  const { timeout = TIMEOUT } = limits;
  const deadline = AbortSignal.timeout(timeout);
  const either = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
  try {
    let url = requireWebAddress(address);
    for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
      const response = await ask(url, limits, either);
      const { statusCode = 0, headers } = response;
      if (statusCode >= 300 && statusCode < 400 && statusCode !== 304 && headers.location !== undefined) {
        response.destroy();
        url = redirected(url, headers.location);
        continue;
      }
      const { "content-type": contentType, etag, "last-modified": lastModified } = headers;
      const facts = { url, contentType, etag, lastModified };
      if (statusCode === 304 && limits.known !== undefined) {
        response.destroy();
        return { ...facts, unchanged: true };
      }
      await save(response, url, file, limits, either);
      return { ...facts, unchanged: false };
    }
    throw unreadable(address, `it redirects more than ${MOST_REDIRECTS} times`);
  } catch (error) {
    signal?.throwIfAborted();
    if (deadline.aborted) {
      throw new ElenchusError(
        "DEADLINE_EXCEEDED",
        `${shown(address)} has not come within ${timeout / 1000} s. Try a nearer or smaller file.`,
      );
    }
    throw error instanceof ElenchusError ? error : unreadable(address, messageOf(error));
  }
}

/** @throws ADDRESS_REFUSED for an address that is not of the web, or has a password in it */
export function requireWebAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ElenchusError(
      "ADDRESS_REFUSED",
      `${shown(address)} is no address of the web: expected http:// or https://.`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new ElenchusError(
      "ADDRESS_REFUSED",
      `The address at ${url.host} has a password in it, which would be stored with the data set. Give one without.`,
    );
  }
  return url;
}

/** What was asked for in secret is not fetched in the open. */
function redirected(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) throw unreadable(from.href, "it redirects to no address");
  const to = requireWebAddress(new URL(location, from).href);
  if (from.protocol === "https:" && to.protocol === "http:") {
    throw new ElenchusError(
      "ADDRESS_REFUSED",
      `${shown(from.href)} redirects from https to http. Give the address that it leads to.`,
    );
  }
  return to;
}

async function ask(url: URL, limits: DownloadLimits, signal: AbortSignal): Promise<IncomingMessage> {
  const { allowPrivate = false, resolver, known } = limits;
  const { address, family } = await publicAddress(url.hostname, {
    allowPrivate,
    ...(resolver !== undefined && { resolver }),
  });
  signal.throwIfAborted();
  const send = url.protocol === "https:" ? secureRequest : plainRequest;
  return await new Promise((resolve, reject) => {
    const asked = send(
      url,
      {
        signal,
        // The connection goes to the address that was checked, whatever the name means by now.
        lookup: (_host, { all }, found) => {
          if (all) found(null, [{ address, family }]);
          else found(null, address, family);
        },
        headers: {
          ...{ accept: "*/*", "accept-encoding": "identity", "user-agent": "elenchus" },
          ...(known?.etag !== undefined && { "if-none-match": known.etag }),
          ...(known?.etag === undefined &&
            known?.lastModified !== undefined && { "if-modified-since": known.lastModified }),
        },
        agent: false,
      },
      resolve,
    );
    asked.on("error", reject);
    asked.end();
  });
}

async function save(
  response: IncomingMessage,
  url: URL,
  file: string,
  { largestFile = LARGEST_FILE }: DownloadLimits,
  signal: AbortSignal,
): Promise<void> {
  const { statusCode, headers } = response;
  const refuse = (error: ElenchusError): never => {
    response.destroy();
    throw error;
  };
  if (statusCode !== 200) refuse(unreadable(url.href, `the server answers with status ${statusCode}`));
  const packed = headers["content-encoding"] ?? "identity";
  if (packed !== "identity") refuse(unreadable(url.href, `it comes packed as ${packed}, unasked`));
  if (Number(headers["content-length"]) > largestFile) refuse(tooLarge(url.href, largestFile));
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      done(bytes > largestFile ? tooLarge(url.href, largestFile) : null, chunk);
    },
  });
  await pipeline(response, counted, createWriteStream(file), { signal });
}

/** Queries may hold secrets. */
function shown(address: string): string {
  return address.replace(/[?#].*$/s, "").slice(0, 200);
}

function tooLarge(address: string, limit: number): ElenchusError {
  return new ElenchusError(
    "INPUT_TOO_LARGE",
    `${shown(address)} is larger than ${limit} bytes, the most that is fetched. Give a smaller file.`,
  );
}

function unreadable(address: string, why: string): ElenchusError {
  return new ElenchusError("INPUT_UNREADABLE", `${shown(address)} cannot be fetched: ${why}.`);
}
