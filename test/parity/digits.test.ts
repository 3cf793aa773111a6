import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const reference = join(process.env.PARITY_DATA!, "datasets", "digits.csv.gz");
const shipped = new URL("../../assets/digits.csv.gz", import.meta.url);
const sha256 = (path: string | URL) => createHash("sha256").update(readFileSync(path)).digest("hex");

describe("the digits that ship", () => {
  it("are the reference file, byte for byte", () => {
    expect(sha256(shipped)).toBe(sha256(reference));
  });
});
