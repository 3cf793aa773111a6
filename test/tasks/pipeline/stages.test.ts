import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { FileStages } from "../../../src/tasks/pipeline/stages/fileStages.js";
import { MemoryStages } from "../../../src/tasks/pipeline/stages/memoryStages.js";
import { stageStoreSuite } from "../suites/stageStoreSuite.js";

const folders: string[] = [];
const places = new Map<unknown, string>();
const stores: FileStages[] = [];
afterAll(async () => {
  for (const store of stores) await store.close();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "elenchus-stages-"));
  folders.push(folder);
  return folder;
}

async function openFiles(folder?: string): Promise<FileStages> {
  const place = folder ?? (await newFolder());
  const store = await FileStages.open(place);
  places.set(store, place);
  stores.push(store);
  return store;
}

stageStoreSuite("memory", async () => new MemoryStages());
stageStoreSuite(
  "a folder",
  () => openFiles(),
  (store) => openFiles(places.get(store)),
);

it("cuts off a line that a killed process left torn, and writes the row anew", async () => {
  const folder = await newFolder();
  const file = join(folder, "generated.jsonl");
  await writeFile(file, '{"index":0,"row":"a"}\n');
  await appendFile(file, '{"index":1,"ro');
  const store = await openFiles(folder);
  expect(await store.has("generated", 1)).toBe(false);
  await store.append("generated", 1, "b");
  expect(await readFile(file, "utf8")).toBe('{"index":0,"row":"a"}\n{"index":1,"row":"b"}\n');
});

it("refuses a file that holds something else", async () => {
  const folder = await newFolder();
  await writeFile(join(folder, "generated.jsonl"), '{"index":0,"row":"a"}\nhello\n');
  const store = await openFiles(folder);
  await expect(store.has("generated", 0)).rejects.toMatchObject({ code: "RECORD_CORRUPT" });
});
