import { createHash } from "node:crypto";

const LONGEST_PART = 80;

/**
 * A name from outside as a part of a file name: letters, digits, `.`, `_` and `-` stay, every other run of
 * characters becomes `_`. One that is shortened, or of which nothing is left, gets the beginning of the digest
 * of the whole.
 */
export function fileNamePart(name: string): string {
  const part = name.replace(/[^A-Za-z0-9._-]+/g, "_");
  if (part.length <= LONGEST_PART && /[A-Za-z0-9]/.test(part)) return part;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${part.slice(0, LONGEST_PART)}_${digest}`;
}

/** File names given out for one folder; a second taker gets a number. File systems may not tell cases apart. */
export class FileNames {
  readonly #taken = new Set<string>();

  unused(stem: string, extension = ""): string {
    let name = `${stem}${extension}`;
    for (let number = 2; this.#taken.has(name.toLowerCase()); number++)
      name = `${stem}_${number}${extension}`;
    this.#taken.add(name.toLowerCase());
    return name;
  }
}
