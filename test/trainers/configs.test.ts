import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { buildCatalog } from "../../src/cli/catalog.js";
import { readConfigFile } from "../../src/config/index.js";

const root = fileURLToPath(new URL("../../configs/", import.meta.url));
const files = ["models", "training"].flatMap((folder) =>
  readdirSync(`${root}${folder}`)
    .filter((name) => name.endsWith(".toml"))
    .map((name) => `${folder}/${name}`),
);
const read = (file: string, set: string[] = []) => readConfigFile(`${root}${file}`, buildCatalog(), { set });

test.each(files)("configs/%s is sound, with no word to say about it", (file) => {
  expect(read(file).warnings).toEqual([]);
});

test.each([
  ["training/warm-restarts.toml", 'trainer.optimizer="RMSProp"', /RMSprop/],
  ["training/warm-restarts.toml", "parameters.optimizer.alfa=0.9", /alpha/],
  [
    "training/warm-restarts.toml",
    'trainer.lr_scheduler="CosineAnnealingWarmRestart"',
    /CosineAnnealingWarmRestarts/,
  ],
  ["training/warm-restarts.toml", "parameters.learning_rate.T_mul=2", /T_mult/],
  ["training/plateau.toml", 'trainer.loss_criterion="BCEWithLogitLoss"', /BCEWithLogitsLoss/],
  ["training/plateau.toml", "parameters.loss_criterion.pos_weigth=2", /pos_weight/],
  ["training/weighted-sum.toml", 'parameters.loss_criterion.losses=[{type="MSLoss"}]', /MSELoss/],
  ["models/resnet.toml", 'trainer.model_name="resnet_81"', /resnet_18/],
  ["models/resnet.toml", "parameters.model.widht=8", /width/],
  ["models/general-multilayer.toml", 'parameters.model.initialization="he"', /he_normal/],
])("%s with %s is refused with what was meant", (file, set, message) => {
  expect(() => read(file, [set])).toThrow(
    expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringMatching(message) }),
  );
});
