import { ElenchusError } from "../../base/index.js";

/** What a `data:` URL holds. */
export interface DataUrl {
  readonly bytes: Buffer;
  /** In lower case, without parameters; `text/plain` where the URL names none (RFC 2397). */
  readonly mediaType: string;
}

/**
 * Decodes a `data:` URL, base64 or percent-encoded (RFC 2397).
 * @throws INPUT_UNREADABLE for one that is malformed, or of another character set than UTF-8
 */
export function decodeDataUrl(url: string): DataUrl {
  const comma = url.indexOf(",");
  if (comma < 0) throw malformed("it has no comma between its type and its data");
  const [type = "", ...parameters] = url
    .slice("data:".length, comma)
    .split(";")
    .map((part) => part.trim());
  const base64 = parameters.at(-1)?.toLowerCase() === "base64";
  const charset = parameters.find((one) => /^charset=/i.test(one))?.slice("charset=".length);
  if (charset !== undefined && !/^"?(utf-?8|us-ascii)"?$/i.test(charset)) {
    throw malformed(`its characters are ${charset}; expected UTF-8`);
  }
  const data = url.slice(comma + 1);
  return {
    bytes: base64 ? fromBase64(data) : percentDecoded(data),
    mediaType: type === "" ? "text/plain" : type.toLowerCase(),
  };
}

/** White space in it is allowed, other signs are not; padding may be left out. */
function fromBase64(data: string): Buffer {
  const text = percentDecoded(data).toString("latin1").replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) throw malformed("its data are not base64");
  return Buffer.from(text, "base64");
}

/** Byte by byte: percents may stand for bytes that are no text. */
function percentDecoded(text: string): Buffer {
  const bytes = Buffer.from(text, "utf8");
  if (!bytes.includes(PERCENT)) return bytes;
  const decoded = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let place = 0; place < bytes.length; place++) {
    const hex = bytes[place] === PERCENT ? bytes.toString("latin1", place + 1, place + 3) : "";
    if (/^[0-9a-f]{2}$/i.test(hex)) {
      decoded[length++] = Number.parseInt(hex, 16);
      place += 2;
    } else {
      decoded[length++] = bytes[place]!;
    }
  }
  return decoded.subarray(0, length);
}

const PERCENT = 0x25;

function malformed(why: string): ElenchusError {
  return new ElenchusError(
    "INPUT_UNREADABLE",
    `A data: URL cannot be decoded: ${why}. Expected data:TYPE;base64,DATA.`,
  );
}
