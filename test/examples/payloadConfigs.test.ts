import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { buildCatalog } from "../../src/cli/catalog.js";
import { readConfigFile } from "../../src/config/index.js";

const folder = fileURLToPath(new URL("../../configs/payloads/", import.meta.url));

it.each(readdirSync(folder))("configs/payloads/%s is sound, with no word to say about it", (file) => {
  expect(readConfigFile(`${folder}${file}`, buildCatalog()).warnings).toEqual([]);
});
