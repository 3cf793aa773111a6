// What a run with [parameters.lora] leaves behind are adapters in its checkpoints. This writes them as peft does, and
// the model with the adapters merged in as transformers does:
//
//     npx tsx merge-adapters.ts runtime/results/RUN/run.json runtime/checkpoints/RUN/checkpoint_5.safetensors OUT
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import "@tensorflow/tfjs-backend-cpu";
import { type Config, createRandom } from "elenchus";
import {
  type CausalModel,
  createModel,
  readCheckpointWeights,
  saveAdapter,
  savePretrained,
} from "elenchus/models";

const [manifest, checkpoint, out] = process.argv.slice(2);
if (!manifest || !checkpoint || !out)
  throw new Error("give run.json, a checkpoint and a folder to write into");
const { config } = JSON.parse(await readFile(manifest, "utf8")) as { config: Config };
const { trainer, parameters } = config;

const model = (await createModel(trainer, {
  inputShape: [],
  classes: 0,
  parameters: parameters.model,
  lora: parameters.lora,
  random: createRandom(trainer.random_seed, "model"),
})) as CausalModel;
model.loadWeights((await readCheckpointWeights(checkpoint)).weights);

const [adapter, merged] = [join(out, "adapter"), join(out, "merged")];
for (const folder of [adapter, merged]) await mkdir(folder, { recursive: true });
await saveAdapter(model, adapter, trainer.model_name);
await savePretrained(model, merged);
console.log(`wrote ${adapter} and ${merged}`);
