import { PLATO_KEYS } from "./platoOnly.js";

/**
 * What to say of a key of Plato's that is not supported: what it is there, and what to do with it here.
 * Undefined for any other key.
 */
export function platoKey(section: string, key: string): string | undefined {
  const keys = PLATO_KEYS[section];
  if (keys === undefined || !Object.hasOwn(keys, key)) return undefined;
  return `no such key (${keys[key]}); ${platoValue(section, key) ?? LEAVE_OUT}`;
}

/** What to do with a value of a key that is supported otherwise. */
export function platoValue(section: string, key: string): string | undefined {
  return own(KEYS, `${section}.${key}`);
}

/** What to take in the place of a thing of Plato's that is not there. */
export function platoName(kind: string, name: string): string | undefined {
  return own(NAMES, `${kind}.${name}`);
}

function own(advice: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(advice, key) ? advice[key] : undefined;
}

const LEAVE_OUT = "remove it";
const ONE_LAYER = "remove it: all clients are the server's own";
const ROUNDS = "remove it: every round waits for its clients, as long as server.round_deadline says";
const NO_PRIVACY = "remove it: nothing here makes training private, so do not use it where that is needed";
const NO_SECRETS =
  "remove it: updates are not encrypted among clients; server.token decides who may send one";
const NO_SPLIT = "remove it: each client trains the whole model";

/** By section and key; of keys that are not here, removing them changes nothing else. */
const KEYS: Readonly<Record<string, string>> = {
  "general.mpc_data_path": NO_SECRETS,
  "clients.participating_clients_ratio":
    'remove it: algorithm.type = "fedper" or "ditto" personalises every client, and clients.do_test measures it',
  "clients.mpc_debug_artifacts": NO_SECRETS,
  "clients.iteration": NO_SPLIT,
  "server.synchronous": `set it to true, which is the default: ${ROUNDS.replace("remove it: ", "")}`,
  "server.edge_do_test": ONE_LAYER,
  "server.periodic_interval": ROUNDS,
  "server.minimum_edges_aggregated": ONE_LAYER,
  "server.staleness_bound": ROUNDS,
  "server.request_update": ROUNDS,
  "server.edge_downlink_bandwidth": ONE_LAYER,
  "server.edge_uplink_bandwidth": ONE_LAYER,
  "server.s3_endpoint_url":
    "remove it: payloads travel in chunks over the connection, of any size up to server.max_payload_bytes",
  "server.s3_bucket": "remove it, as server.s3_endpoint_url",
  "server.access_key": "remove it, as server.s3_endpoint_url",
  "server.secret_key": "remove it, as server.s3_endpoint_url",
  "server.zk_address": NO_SECRETS,
  "server.zk_port": NO_SECRETS,
  "server.mpc_data_path": NO_SECRETS,
  "server.mpc_shamir_threshold": NO_SECRETS,
  "server.do_personalization_interval":
    "remove it: clients.test_interval says how often personal models are tested",
  "server.do_personalization_group": "remove it: every client that trains has its personal model",
  "server.mixing_hyperparameter": ROUNDS,
  "server.adaptive_mixing": ROUNDS,
  "server.staleness_weighting_function": ROUNDS,
  "data.num_classes": "remove it: the data say how many classes there are",
  "data.concurrent_download": "remove it: what is missing is fetched once, before clients are started",
  "trainer.parallelized": "remove it: trainer.max_concurrency says how many processes train at a time",
  "trainer.framework":
    "remove it: trainer.backend chooses the engine, and by itself takes the fastest that loads",
  "trainer.model_seed": "remove it: trainer.random_seed covers the first weights too",
  "trainer.training_seed": "set trainer.random_seed, which covers training and the first weights",
  "trainer.dp_epsilon": NO_PRIVACY,
  "trainer.dp_delta": NO_PRIVACY,
  "trainer.dp_max_grad_norm": `${NO_PRIVACY}; trainer.clip_grad_norm clips an update's gradients as a whole`,
  "trainer.max_physical_batch_size":
    "remove it: trainer.gradient_accumulation_steps divides a batch that is too large",
  "algorithm.cross_silo": ONE_LAYER,
  "algorithm.local_rounds":
    "remove it: clients that are to average less often train longer, by trainer.epochs",
  "algorithm.epsilon": NO_PRIVACY,
  "algorithm.framework": "remove it: algorithms are the same on every back end",
  "algorithm.split_learning": NO_SPLIT,
  "algorithm.personalization": 'remove it: algorithm.type = "fedper" or "ditto" personalises every client',
  "algorithm.pfedgraph_alpha": 'remove it, as algorithm.type = "pfedgraph"',
  "algorithm.pfedgraph_lambda": 'remove it, as algorithm.type = "pfedgraph"',
  "algorithm.pfedgraph_similarity_metric": 'remove it, as algorithm.type = "pfedgraph"',
  "algorithm.pfedgraph_similarity_layers": 'remove it, as algorithm.type = "pfedgraph"',
  "parameters.model.input_dim": "remove it: the data say how large an input is",
  "parameters.model.cut_layer": NO_SPLIT,
  "parameters.model.framework": "remove it: models are the same on every back end",
};

const NO_FEATURES = "remove it: clients send weights, not features";
const PERSONAL = 'take "fedper", "fedbn" or "ditto" as algorithm.type, and clients.do_test = true';
const PLAIN = 'take "fedavg"';

/** By kind and name. */
const NAMES: Readonly<Record<string, string>> = {
  "clients.split_learning": 'take "simple": each client trains the whole model',
  "clients.fedavg_personalized": `take "simple"; for personal models ${PERSONAL}`,
  "clients.self_supervised_learning":
    'take "simple"; another loss or training step is a trainer of your own (--import)',
  "clients.mpc": 'take "simple": updates are not encrypted among clients',
  "servers.fedavg_cross_silo": `${PLAIN}: there are no servers between clients and server`,
  "servers.fedavg_gan": `${PLAIN}: networks that train against each other are a trainer of your own (--import)`,
  "servers.fedavg_he": `${PLAIN}: updates are not encrypted`,
  "servers.fedavg_personalized": PERSONAL,
  "servers.fedavg_mpc_additive": `${PLAIN}: updates are not encrypted`,
  "servers.fedavg_mpc_shamir": `${PLAIN}: updates are not encrypted`,
  "servers.pfedgraph": PERSONAL,
  "servers.split_learning": `${PLAIN}: each client trains the whole model`,
  "datasources.CINIC10":
    'take "CIFAR10", whose images have the same form, or a data source of your own (elenchus new datasource)',
  "datasources.TinyImageNet":
    "write a data source of your own (elenchus new datasource NAME) that reads its files",
  "datasources.CelebA": "write a data source of your own (elenchus new datasource NAME) that reads its files",
  "datasources.STL10": "write a data source of your own (elenchus new datasource NAME) that reads its files",
  "datasources.FEMNIST":
    'take "EMNIST" with split = "byclass", the same 62 classes, and a sampler for writers that differ, such as "noniid"',
  "datasources.Femnist":
    'take "EMNIST" with split = "byclass", the same 62 classes, and a sampler for writers that differ, such as "noniid"',
  "datasources.Feature": 'write features into a table and take "CSV"',
  "trainers.fedprox": 'take "basic" here and algorithm.type = "fedprox"',
  "trainers.scaffold": 'take "basic" here and algorithm.type = "scaffold"',
  "trainers.feddyn": 'take "basic" here and algorithm.type = "feddyn"',
  "trainers.timm_basic": 'take "basic", and a schedule of PyTorch\'s as trainer.lr_scheduler',
  "trainers.diff_privacy":
    'take "basic" where training need not be private: nothing here bounds what an update tells of a row',
  "trainers.split_learning": 'take "basic": each client trains the whole model',
  "trainers.self_supervised_learning":
    "write a trainer of your own (--import) with its loss and training step",
  "trainers.gan": "write a trainer of your own (--import): two networks have two optimizers",
  "trainers.pfedgraph": `take "basic"; for personal models ${PERSONAL}`,
  "trainers.mlx": 'take "basic": trainer.backend chooses the engine',
  "algorithms.fedavg_gan": `${PLAIN} and a trainer of your own (--import)`,
  "algorithms.fedavg_personalized": PERSONAL,
  "algorithms.split_learning": `${PLAIN}: each client trains the whole model`,
  "algorithms.pfedgraph": PERSONAL,
  "algorithms.mistnet": `${PLAIN}: each client trains the whole model`,
  "algorithms.mlx_fedavg": PLAIN,
  "models.torchvision":
    "take a registered model by trainer.model_name, such as resnet_18 for resnet18, without trainer.model_type",
  "models.dcgan": "register a model of your own (--import)",
  "models.cnn_encoder": "register a model of your own (--import)",
  "schedulers.timm":
    'take "CosineAnnealingLR" with warmup_epochs in [parameters.learning_rate] for sched = "cosine"',
  "processors.model_decrypt": "remove it: updates are not encrypted",
  "processors.model_encrypt": "remove it: updates are not encrypted",
  "processors.mpc_model_encrypt_additive": "remove it: updates are not encrypted",
  "processors.mpc_model_encrypt_shamir": "remove it: updates are not encrypted",
  "processors.feature_additive_noise": NO_FEATURES,
  "processors.feature_dequantize": NO_FEATURES,
  "processors.feature_gaussian": NO_FEATURES,
  "processors.feature_laplace": NO_FEATURES,
  "processors.feature_quantize": NO_FEATURES,
  "processors.feature_randomized_response": NO_FEATURES,
  "processors.feature_unbatch": NO_FEATURES,
  "processors.inbound_feature_tensors": NO_FEATURES,
  "processors.outbound_feature_ndarrays": NO_FEATURES,
  "processors.model_randomized_response": NO_PRIVACY,
  "processors.mlx_numpy": "remove it: payloads have one format on every back end",
  "optimizers.SparseAdam": 'take "Adam": gradients here are dense',
};
