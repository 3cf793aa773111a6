import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatRows, keptRows, parseRows } from "../../../src/data/text/keptRows.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rows-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const rows = fc.array(
  fc
    .record({
      pairs: fc.array(fc.tuple(fc.nat({ max: 2 ** 31 - 1 }), fc.constantFrom(0, 1)), { maxLength: 9 }),
      group: fc.nat({ max: 2 ** 31 - 1 }),
    })
    .map(({ pairs, group }) => ({
      ids: Int32Array.from(pairs, ([id]) => id),
      mask: Uint8Array.from(pairs, ([, asked]) => asked),
      group,
    })),
);

test("rows come back from their bytes; a changed or shorter file gives none", () => {
  fc.assert(
    fc.property(rows, fc.nat(), (all, place) => {
      const bytes = formatRows(all);
      expect(parseRows(bytes)).toEqual(all);
      expect(parseRows(bytes.subarray(0, place % bytes.length))).toBeUndefined();
      const changed = bytes.slice();
      changed[place % bytes.length]! ^= 1;
      expect(parseRows(changed)).toBeUndefined();
    }),
  );
});

test("rows are made once, and again where the file is damaged", async () => {
  const file = join(folder, "deep", "some.rows");
  const row = { ids: Int32Array.of(1, 2), mask: Uint8Array.of(0, 1), group: 0 };
  let made = 0;
  const make = () => {
    made += 1;
    return [row];
  };
  expect(await keptRows(file, make)).toEqual([row]);
  expect(await keptRows(file, make)).toEqual([row]);
  expect(made).toBe(1);
  await writeFile(file, (await readFile(file)).subarray(1));
  expect(await keptRows(file, make)).toEqual([row]);
  expect(made).toBe(2);
  await keptRows(join(file, "below a file", "x.rows"), make);
  expect(made).toBe(3);
});
