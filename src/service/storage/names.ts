import { createHash } from "node:crypto";
import { ElenchusError } from "../../base/index.js";

/** In UTF-16 units: far more than a person types, and few enough for an index of PostgreSQL. */
const LONGEST_NAME = 512;
/** Bytes of a file's name that every file system takes, with room for an ending. */
const LONGEST_PART = 200;

/**
 * Checks a kind, an id, an owner or a stage: any well-formed text of 1 to 512 characters without NUL.
 * @throws NAME_INVALID
 */
export function checkName(what: string, name: string): void {
  if (name !== "" && name.length <= LONGEST_NAME && !/[\p{Cs}\0]/u.test(name)) return;
  throw new ElenchusError(
    "NAME_INVALID",
    `${JSON.stringify(name.slice(0, 80))} cannot be ${what}: expected 1 to ${LONGEST_NAME} characters of well-formed text without NUL.`,
  );
}

/**
 * Checks the name of a stage, which can be read back from the name of its file.
 * @throws NAME_INVALID
 */
export function checkStage(stage: string): void {
  checkName("a stage", stage);
  if (escaped(stage).length <= LONGEST_PART) return;
  throw new ElenchusError(
    "NAME_INVALID",
    `${JSON.stringify(stage.slice(0, 80))} cannot be a stage: expected a name whose path part has at most ${LONGEST_PART} characters; each that is no lower-case letter, digit, "_" or "-" takes three for each of its bytes.`,
  );
}

/**
 * A name as a part of a path, another one for every name, on file systems too that do not tell cases apart:
 * what is not a lower-case letter, a digit, `_` or `-` becomes `%` and the two digits of each byte. A very long
 * one becomes its SHA-256.
 */
export function pathPart(name: string): string {
  const part = escaped(name);
  if (part.length <= LONGEST_PART) return part;
  return `%sha256-${createHash("sha256").update(name).digest("hex")}`;
}

function escaped(name: string): string {
  // Devices of Windows, whatever their ending.
  if (/^(con|prn|aux|nul|com\d|lpt\d)$/.test(name))
    return `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
  return Buffer.from(name)
    .toString("latin1")
    .replace(/[^a-z0-9_-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
