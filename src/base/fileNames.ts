import { createHash } from "node:crypto";

/** In UTF-8. Two parts, a round and a temporary ending must fit into the 255 bytes of a file's name. */
const LONGEST_PART = 90;

/** What some file system refuses or takes for something else: control characters, halves of characters, `/\:*?"<>|`. */
const HARMFUL = /[\p{Cc}\p{Cs}/\\:*?"<>|]+/gu;
/** Windows drops these silently. */
const HARMFUL_ENDS = /^[\s.]+|[\s.]+$/gu;

/**
 * A name from outside as a part of a file name: the name itself where that is harmless on every system. Every run
 * of harmful characters becomes `_`, white space and dots at the ends too. One that is shortened, or of which
 * nothing is left, gets the beginning of the digest of the whole.
 */
export function fileNamePart(name: string): string {
  const part = name.replace(HARMFUL, "_").replace(HARMFUL_ENDS, "_");
  if (Buffer.byteLength(part) <= LONGEST_PART && /[^\s._-]/u.test(part)) return part;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${shortened(part)}_${digest}`;
}

/** Whole characters only. */
function shortened(part: string): string {
  let kept = "";
  for (const character of part) {
    if (Buffer.byteLength(kept + character) > LONGEST_PART) break;
    kept += character;
  }
  return kept;
}

/** File names given out for one folder; a second taker gets a number. File systems may not tell cases or accents apart. */
export class FileNames {
  readonly #taken = new Set<string>();

  unused(stem: string, extension = ""): string {
    let name = `${stem}${extension}`;
    for (let number = 2; this.#taken.has(folded(name)); number++) name = `${stem}_${number}${extension}`;
    this.#taken.add(folded(name));
    return name;
  }
}

function folded(name: string): string {
  return name.normalize("NFKD").toLowerCase();
}
