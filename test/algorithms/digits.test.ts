import "../support/cpuTensors.js";
import { expect, it } from "vitest";
import { createRandom } from "../../src/base/index.js";
import { ArrayDataset, loadDatasource } from "../../src/data/index.js";
import { Multilayer } from "../../src/models/multilayer.js";
import { ComposableTrainer } from "../../src/trainers/index.js";
import { LineFederation } from "./support/lines.js";

/** Client k holds rows of the digits 2 k and 2 k + 1 alone. */
function twoDigits(digits: ArrayDataset, client: number, rowsOfEach: number): ArrayDataset {
  const rows = [2 * client, 2 * client + 1].flatMap((digit) =>
    [...digits.labels.keys()].filter((row) => digits.labels[row] === digit).slice(0, rowsOfEach),
  );
  const { inputs, labels } = digits.batch(rows);
  const { inputShape, classes } = digits;
  return new ArrayDataset({ inputs: Float32Array.from(inputs), inputShape, labels, classes });
}

it("SCAFFOLD is ahead of FedAvg where every client holds two digits of ten", async () => {
  const { trainset, testset } = await loadDatasource({ datasource: "digits" } as never, "", {} as never);
  const digits = trainset as ArrayDataset;
  const clients = Array.from({ length: 5 }, (_, client) => twoDigits(digits, client, 40));
  const makeModel = () =>
    new Multilayer({
      inputShape: digits.inputShape,
      classes: digits.classes,
      parameters: { hidden_sizes: [16] },
      random: createRandom(1, "model"),
    });

  const accuracies = async (type: string) => {
    const trainer = { epochs: 10, batch_size: 20, loss_criterion: "CrossEntropyLoss" };
    const tables = { algorithm: { type }, trainer, parameters: { optimizer: { lr: 0.1 } } };
    const federation = await LineFederation.start(tables, clients, makeModel);
    const model = makeModel();
    const found: number[] = [];
    for (let round = 1; round <= 3; round++) {
      await federation.round();
      model.loadWeights(federation.weights);
      const tester = new ComposableTrainer({ config: federation.config, model });
      found.push((await tester.testModel({ testset })).scalar!.value);
    }
    model.dispose();
    return found;
  };

  const fedavg = await accuracies("fedavg");
  const scaffold = await accuracies("scaffold");
  expect(scaffold.at(-1)!).toBeGreaterThan(fedavg.at(-1)! + 0.05);
});
