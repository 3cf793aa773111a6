import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unpackZip, withZip } from "../../src/hub/index.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { type ZipFile, zipArchive } from "../support/zipArchive.js";

const folder = temporaryFolder("zip");
let count = 0;
const archive = (bytes: Buffer) => {
  const path = join(folder, `${count++}.zip`);
  writeFileSync(path, bytes);
  return path;
};
const contents = (path: string) =>
  withZip(path, (entries) =>
    Promise.all(entries.map(async (entry) => [entry.name, (await entry.read()).toString()] as const)),
  );
const FILES: ZipFile[] = [
  { name: "bundle/", content: "", stored: true },
  { name: "bundle/a.txt", content: "stored", stored: true },
  { name: "bundle/b/ä.txt", content: "deflated ".repeat(50) },
];

describe("a zip archive", () => {
  it("gives its files, stored and deflated, without folders, behind a comment too", async () => {
    for (const comment of ["", "packed by hand"]) {
      expect(await contents(archive(zipArchive(FILES, comment)))).toEqual([
        ["bundle/a.txt", "stored"],
        ["bundle/b/ä.txt", "deflated ".repeat(50)],
      ]);
    }
  });

  it("of any files comes back as it was", async () => {
    const name = fc.stringMatching(/^[a-z]{1,8}(\/[a-z]{1,8}){0,2}$/);
    const file = fc.record({ name, content: fc.string(), stored: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(file, { selector: (one) => one.name, maxLength: 5 }), async (files) => {
        const found = await contents(archive(zipArchive(files)));
        expect(found).toEqual(files.map((one) => [one.name, one.content]));
      }),
      { numRuns: 30 },
    );
  });

  it("that Python's zipfile wrote is read", async () => {
    const written =
      "UEsDBBQAAAAIAC0LgV0AAAAAAgAAAAAAAAAFAAAAZGF0YS8DAFBLAwQUAAAACAAtC4FdD88nhQsAAACQAQAADAAAAGRhdGEvb25lLnR4dMvPS1XIH8WDBgMAUEsDBBQAAAAAAAAAIQBmisoRAwAAAAMAAAAMAAAAZGF0YS90d28udHh0dHdvUEsBAhQDFAAAAAgALQuBXQAAAAACAAAAAAAAAAUAAAAAAAAAAAAQAP1BAAAAAGRhdGEvUEsBAhQDFAAAAAgALQuBXQ/PJ4ULAAAAkAEAAAwAAAAAAAAAAAAAAIABJQAAAGRhdGEvb25lLnR4dFBLAQIUAxQAAAAAAAAAIQBmisoRAwAAAAMAAAAMAAAAAAAAAAAAAACAAVoAAABkYXRhL3R3by50eHRQSwUGAAAAAAMAAwCnAAAAhwAAAAAA";
    expect(await contents(archive(Buffer.from(written, "base64")))).toEqual([
      ["data/one.txt", "one ".repeat(100)],
      ["data/two.txt", "two"],
    ]);
  });

  it("is refused where it is damaged, whatever is wrong with it", async () => {
    const sound = zipArchive(FILES.slice(1));
    const changed = (change: (bytes: Buffer) => void) => {
      const bytes = Buffer.from(sound);
      change(bytes);
      return archive(bytes);
    };
    const directory = sound.readUInt32LE(sound.length - 6);
    const faults: [string, RegExp][] = [
      [join(folder, "nowhere.zip"), /cannot be read/],
      [archive(Buffer.from("PK")), /no directory/],
      [archive(sound.subarray(0, -4)), /no directory/],
      [changed((bytes) => bytes.writeUInt32LE(0xfffffff0, bytes.length - 6)), /ends too early/],
      [changed((bytes) => bytes.writeUInt32LE(0xffffffff, bytes.length - 6)), /zip64/],
      [changed((bytes) => bytes.writeUInt32LE(0, directory)), /directory is cut/],
      [changed((bytes) => bytes.writeUInt16LE(1, directory + 8)), /a\.txt is encrypted/],
      [changed((bytes) => bytes.writeUInt16LE(12, directory + 10)), /method 12/],
      [changed((bytes) => bytes.writeUInt32LE(0, 0)), /a\.txt is not where/],
      [changed((bytes) => bytes.writeUInt32LE(7, directory + 16)), /a\.txt has another checksum/],
    ];
    for (const [path, message] of faults) {
      await expect(contents(path), String(message)).rejects.toMatchObject({
        code: "INPUT_UNREADABLE",
        message: expect.stringMatching(message),
      });
    }
  });

  it("with a lie about a size is not unpacked beyond it", async () => {
    const bomb = zipArchive([{ name: "bomb", content: Buffer.alloc(1_000_000) }]);
    bomb.writeUInt32LE(10, bomb.readUInt32LE(bomb.length - 6) + 24);
    await expect(contents(archive(bomb))).rejects.toThrow(/cannot be unpacked/);
  });
});

describe("unpacking", () => {
  it("leaves out the folder that holds all, and what macOS adds", async () => {
    const path = archive(zipArchive([...FILES, { name: "__MACOSX/bundle/._a.txt", content: "x" }]));
    const target = join(folder, "whole");
    await Promise.all([unpackZip(path, target), unpackZip(path, target)]);
    expect(readdirSync(target).sort()).toEqual(["a.txt", "b"]);
    expect(readFileSync(join(target, "a.txt"), "utf8")).toBe("stored");
  });

  it("leaves nothing behind where a file is damaged or would lie outside", async () => {
    const damaged = zipArchive(FILES);
    damaged.writeUInt32LE(7, damaged.readUInt32LE(damaged.length - 6) + 46 + 7 + 16);
    for (const bytes of [damaged, zipArchive([{ name: "b/../../x", content: "x" }])]) {
      const target = join(folder, `t${count}`);
      await expect(unpackZip(archive(bytes), target)).rejects.toMatchObject({ code: "INPUT_UNREADABLE" });
      expect(readdirSync(folder).filter((name) => name.startsWith(`t${count - 1}`))).toEqual([]);
    }
  });
});
