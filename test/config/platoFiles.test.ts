import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildCatalog } from "../../src/cli/catalog.js";
import { checkConfig, renderIssue } from "../../src/config/index.js";
import { platoKey, platoName } from "../../src/config/schema/platoAdvice.js";
import { PLATO_KEYS, PLATO_NAMES } from "../../src/config/schema/platoOnly.js";
import { idxImages, idxLabels } from "../data/images/idxFiles.js";
import { commandHere } from "../support/commandHere.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

/** Configurations with the keys and values of Plato's public ones, as of 2026. */
const folder = join(import.meta.dirname, "platoFiles");

const PRIVACY = ["trainer.type", "trainer.dp_epsilon", "trainer.dp_delta", "trainer.dp_max_grad_norm"];
const ASYNC = ["server.synchronous", "server.staleness_bound"];

/** What is in the way of each; nothing where it runs as it is. */
const IN_THE_WAY: Record<string, string[]> = {
  "MNIST/fedavg_lenet5.toml": [],
  "MNIST/fedavg_lenet5_noniid.toml": [],
  "MNIST/fedavg_lenet5_distribution_noniid.toml": [],
  "MNIST/fedprox_lenet5.toml": ["trainer.type"],
  "MNIST/diloco_lenet5.toml": [],
  "MNIST/fedavg_async_lenet5.toml": ASYNC,
  "MNIST/fedavg_cross_silo_lenet5.toml": ["server.type", "algorithm.cross_silo", "algorithm.local_rounds"],
  "MNIST/fedavg_lenet5_dp.toml": PRIVACY,
  "MNIST/fedavg_lenet5_he.toml": ["clients.inbound_processors", "clients.outbound_processors", "server.type"],
  "MNIST/fedavg_lenet5_mpc_shamir.toml": [
    ...["clients.type", "clients.outbound_processors", "clients.mpc_debug_artifacts", "server.type"],
  ],
  "MNIST/fedavg_lenet5_timm_globalLR.toml": ["trainer.type", "trainer.lr_scheduler"],
  "MNIST/fedavg_lenet5_mlx.toml": [
    ...["trainer.type", "trainer.optimizer", "trainer.framework"],
    ...["algorithm.type", "algorithm.framework", "parameters.model.framework"],
  ],
  "FashionMNIST/fedavg_lenet5.toml": [],
  "CIFAR10/fedavg_resnet18.toml": [],
  "CIFAR10/fedavg_resnet18_dp.toml": PRIVACY,
  "CIFAR10/fedavg_resnet18_torchvision.toml": ["trainer.model_type"],
  "CIFAR10/fedavg_vgg16.toml": [],
  "CIFAR10/split_learning_resnet18.toml": [
    ...["clients.type", "clients.iteration", "server.type", "trainer.type"],
    ...["algorithm.type", "algorithm.split_learning", "parameters.model.cut_layer"],
  ],
  "CIFAR100/fedavg_resnet18.toml": ["data.num_classes"],
  "EMNIST/fedavg_lenet5_label_noniid.toml": [],
  "EMNIST/fedavg_lenet5_mixed_label_noniid.toml": [],
  "EMNIST/fedavg_lenet5_dp.toml": [...PRIVACY, "trainer.parallelized"],
  "FEMNIST/fedavg_lenet.toml": ["data.datasource", "data.concurrent_download"],
  "Purchase/fedavg_general_mlp.toml": [],
  "Texas/fedavg_multilayer.toml": ["parameters.model.input_dim"],
  "async/fedasync_lenet5.toml": [
    ...ASYNC,
    ...["server.mixing_hyperparameter", "server.adaptive_mixing", "server.staleness_weighting_function"],
  ],
};
const files = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((file) => file.endsWith(".toml") && !/\/mnist_/.test(file));

describe("a file of Plato's", () => {
  it("is one of those that are known here", () => {
    expect(files.sort()).toEqual(Object.keys(IN_THE_WAY).sort());
  });

  it.each(files)("%s runs, or every key in the way is named with what to do", (file) => {
    const { errors } = checkConfig({ path: join(folder, file) }, buildCatalog());
    expect(errors.map(({ key }) => key).sort()).toEqual([...IN_THE_WAY[file]!].sort());
    for (const issue of errors) {
      const line = renderIssue(issue);
      expect(line).toMatch(/; (take|set|remove|write) |Did you mean/);
      expect(line).not.toContain("\n");
    }
  });

  it("is refused by the command without a stack", async () => {
    for (const file of files.filter((one) => IN_THE_WAY[one]!.length > 0)) {
      const { status, stdout, stderr } = await commandHere("check", join(folder, file), "--json");
      expect([file, status]).toEqual([file, 2]);
      expect(JSON.parse(stdout).ok).toBe(false);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
  });
});

describe("a file that names MNIST through torchvision", () => {
  const data = temporaryFolder("plato-files");
  mkdirSync(join(data, "MNIST", "raw"), { recursive: true });
  for (const [part, labels] of [
    ["train", [3, 1, 4, 1, 5, 9, 2, 6]],
    ["t10k", [5, 3]],
  ] as const) {
    const write = (name: string, content: Buffer) => writeFileSync(join(data, "MNIST", "raw", name), content);
    write(`${part}-images-idx3-ubyte`, idxImages(labels.length, 28, 28));
    write(`${part}-labels-idx1-ubyte`, idxLabels(labels));
  }
  const check = (...set: string[]) =>
    commandHere(
      ...["check", join(folder, "MNIST/fedavg_lenet5_noniid.toml"), "--base", data],
      ...["data.data_path=.", "data.partition_size=2", ...set].flatMap((one) => ["--set", one]),
    );

  it("finds it where torchvision puts it", async () => {
    const { status, stderr } = await check();
    expect([status, stderr]).toEqual([0, ""]);
  });

  it("fetches nothing with download = false", async () => {
    const { status, stderr } = await check(
      ...["data.dataset_name=CIFAR10", "data.download=false", 'data.mirrors=["http://127.0.0.1:9"]'],
    );
    expect(status).toBe(2);
    expect(stderr).toMatch(/cifar-10-binary\.tar\.gz.*the network must not be asked/s);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it("names the sets that there are for another", async () => {
    const { stderr } = await check("data.dataset_name=Flowers102");
    expect(stderr).toMatch(/data\.dataset_name = "Flowers102": expected .*"MNIST".*"CIFAR100"/);
  });
});

describe("what is said of Plato's keys and names", () => {
  it("is what to do, for each key", () => {
    for (const [section, keys] of Object.entries(PLATO_KEYS)) {
      for (const key of Object.keys(keys)) {
        expect(platoKey(section, key), key).toMatch(/^no such key \(.+\); (remove it|set )/);
      }
    }
  });

  it("is what to take, for each name that is not registered", () => {
    const catalog = buildCatalog();
    for (const [kind, names] of Object.entries(PLATO_NAMES)) {
      const registered = (catalog[kind as keyof typeof catalog] ?? []).map(({ name }) => name);
      const told = names.filter((name) => !registered.includes(name) && platoName(kind, name) === undefined);
      expect([kind, told]).toEqual([kind, UNTOLD[kind] ?? []]);
    }
  });

  /** Of these the list of what is registered says all. */
  const UNTOLD: Record<string, string[]> = {
    optimizers: ["Adamax", "ASGD", "LBFGS", "Rprop", "AdaHessian", "LARS"],
    losses: ["L1Loss", "BCELoss", "KLDivLoss", "SmoothL1Loss", "HuberLoss"],
    models: ["resnet_50", "resnet_101", "resnet_152"],
  };
});
