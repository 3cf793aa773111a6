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

const makeModel = (digits: ArrayDataset) => () =>
  new Multilayer({
    inputShape: digits.inputShape,
    classes: digits.classes,
    parameters: { hidden_sizes: [16] },
    random: createRandom(1, "model"),
  });

it("models and layers of their own serve clients of few digits better than FedAvg's, fine-tuned or not", async () => {
  const { trainset, testset } = await loadDatasource({ datasource: "digits" } as never, "", {} as never);
  const [digits, unseen] = [trainset as ArrayDataset, testset as ArrayDataset];
  const clients = Array.from({ length: 5 }, (_, client) => twoDigits(digits, client, 20));
  const tests = clients.map((_, client) => twoDigits(unseen, client, 30));
  /** Mean accuracy of clients after their part of the last round, and of the global model on their rows. */
  const accuracies = async (algorithm: { type: string } & Readonly<Record<string, unknown>>) => {
    const trainer = { epochs: 1, batch_size: 20, loss_criterion: "CrossEntropyLoss" };
    const tables = { algorithm, trainer, parameters: { optimizer: { lr: 0.1 } } };
    const federation = await LineFederation.start(tables, clients, makeModel(digits), tests);
    await federation.rounds(9);
    const model = federation.makeModel();
    model.loadWeights(federation.weights);
    const tester = new ComposableTrainer({ config: federation.config, model });
    let shared = 0;
    for (const test of tests) shared += (await tester.testModel({ testset: test })).scalar!.value / 5;
    model.dispose();
    const { outcomes } = await federation.round();
    return { shared, own: outcomes.reduce((sum, { scalar }) => sum + scalar!.value / 5, 0) };
  };

  const fedavg = await accuracies({ type: "fedavg" });
  const ditto = await accuracies({ type: "ditto", ditto_lambda: 0.1 });
  const fedper = await accuracies({ type: "fedper", local_layer_names: "fc2" });
  expect(fedavg.own).toBeGreaterThan(fedavg.shared + 0.1);
  expect(fedper.own).toBeGreaterThan(fedavg.own + 0.1);
  expect(ditto.own).toBeGreaterThan(fedavg.own + 0.2);
});

it("SCAFFOLD is ahead of FedAvg where every client holds two digits of ten", async () => {
  const { trainset, testset } = await loadDatasource({ datasource: "digits" } as never, "", {} as never);
  const digits = trainset as ArrayDataset;
  const clients = Array.from({ length: 5 }, (_, client) => twoDigits(digits, client, 40));
  const accuracies = async (type: string) => {
    const trainer = { epochs: 10, batch_size: 20, loss_criterion: "CrossEntropyLoss" };
    const tables = { algorithm: { type }, trainer, parameters: { optimizer: { lr: 0.1 } } };
    const federation = await LineFederation.start(tables, clients, makeModel(digits));
    const model = federation.makeModel();
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
