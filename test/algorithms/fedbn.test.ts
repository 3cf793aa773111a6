import "../support/cpuTensors.js";
import { expect, it } from "vitest";
import { createRandom } from "../../src/base/index.js";
import { ArrayDataset, loadDatasource } from "../../src/data/index.js";
import { GeneralMultilayer } from "../../src/models/generalMultilayer.js";
import { LineFederation } from "./support/lines.js";

/** So many rows of the digits, as another camera would have taken them. */
function seenBy(digits: ArrayDataset, start: number, see: (brightness: number) => number): ArrayDataset {
  const rows = Array.from({ length: 80 }, (_, place) => start + place);
  const { inputs, labels } = digits.batch(rows);
  const { inputShape, classes } = digits;
  return new ArrayDataset({ inputs: Float32Array.from(inputs, see), inputShape, labels, classes });
}

it("FedBN is ahead of FedAvg where clients see the same things in different lights", async () => {
  const { trainset } = await loadDatasource({ datasource: "digits" } as never, "", {} as never);
  const digits = trainset as ArrayDataset;
  const clients = [
    seenBy(digits, 0, (brightness) => brightness),
    seenBy(digits, 100, (brightness) => 5 * brightness + 3),
    seenBy(digits, 200, (brightness) => 0.2 * brightness - 2),
  ];
  const makeModel = () =>
    new GeneralMultilayer({
      inputShape: digits.inputShape,
      classes: digits.classes,
      parameters: { hidden_layers_dim: [16], batch_norms: [{}, null], initialization: "he_normal" },
      random: createRandom(1, "model"),
    });
  /** Mean over clients of the accuracy of what each has after its round. */
  const accuracy = async (type: string) => {
    const trainer = { epochs: 1, batch_size: 20, loss_criterion: "CrossEntropyLoss" };
    const tables = { algorithm: { type }, trainer, parameters: { optimizer: { lr: 0.1 } } };
    const federation = await LineFederation.start(tables, clients, makeModel);
    await federation.rounds(5);
    const { outcomes } = await federation.round();
    return outcomes.reduce((sum, { scalar }) => sum + scalar!.value / outcomes.length, 0);
  };

  const [fedavg, fedbn] = [await accuracy("fedavg"), await accuracy("fedbn")];
  expect(fedbn).toBeGreaterThan(fedavg + 0.1);
});
