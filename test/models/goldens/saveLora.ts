import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import { loadAdapter, loadPretrained, saveAdapter, savePretrained } from "../../../src/models/kit.js";

/*
 * Writes the adapters of all goldens again, and the merged models, into the folder that is given:
 *
 *     node --import tsx test/models/goldens/saveLora.ts FOLDER
 *
 * `makeLora.py --verify FOLDER` then loads them with peft and transformers.
 */
const [target] = process.argv.slice(2);
if (target === undefined) throw new Error("give the folder to write into");
await tf.setBackend("cpu");
const here = import.meta.dirname;
for (const name of (await readdir(here)).filter((entry) => entry.startsWith("lora-"))) {
  const { base } = JSON.parse(await readFile(join(here, name, "golden.json"), "utf8")) as { base: string };
  const model = await loadPretrained(join(here, base), base);
  await loadAdapter(model, join(here, name));
  for (const kind of ["adapter", "merged"]) await mkdir(join(target, name, kind), { recursive: true });
  await saveAdapter(model, join(target, name, "adapter"));
  await savePretrained(model, join(target, name, "merged"));
  model.dispose();
}
