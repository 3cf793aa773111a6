/**
 * Plato's keys that are not supported yet, by section: a configuration that uses one is told so, which is
 * another thing than a mistyped key. A data source, sampler, trainer, algorithm, server or client type that
 * declares one of them among its options makes it supported where it is chosen.
 */
export const PLATO_KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  general: {
    mpc_data_path: "folder of secure aggregation",
  },
  clients: {
    participating_clients_ratio: "share of clients in personalised learning",
    mpc_debug_artifacts: "files of secure aggregation kept",
    iteration: "steps of split learning",
  },
  server: {
    edge_do_test: "tests at edge servers",
    periodic_interval: "interval of asynchronous aggregation",
    minimum_edges_aggregated: "quorum of edge servers",
    staleness_bound: "tolerated staleness in asynchronous rounds",
    request_update: "early updates of stale clients",
    edge_downlink_bandwidth: "simulated bandwidth at edge servers",
    edge_uplink_bandwidth: "simulated bandwidth at edge servers",
    s3_endpoint_url: "payloads over S3",
    s3_bucket: "payloads over S3",
    access_key: "payloads over S3",
    secret_key: "payloads over S3",
    zk_address: "ZooKeeper of secure aggregation",
    zk_port: "ZooKeeper of secure aggregation",
    mpc_data_path: "folder of secure aggregation",
    mpc_shamir_threshold: "threshold of secret sharing",
    do_personalization_interval: "rounds between personalisations",
    do_personalization_group: "who personalises",
    mixing_hyperparameter: "mixing of asynchronous updates",
    adaptive_mixing: "mixing by staleness",
    staleness_weighting_function: "weights by staleness",
  },
  data: {
    num_classes: "number of classes",
    concurrent_download: "fetching by several clients at a time",
  },
  trainer: {
    parallelized: "training on several GPUs",
    framework: "another framework than TensorFlow.js",
    model_seed: "seed of the initial weights alone",
    training_seed: "seed of training alone",
    dp_epsilon: "differential privacy",
    dp_delta: "differential privacy",
    dp_max_grad_norm: "differential privacy",
    max_physical_batch_size: "differential privacy",
  },
  algorithm: {
    cross_silo: "edge servers between clients and server",
    local_rounds: "aggregations at the edge per round",
    epsilon: "local differential privacy",
    framework: "another framework than TensorFlow.js",
    split_learning: "split learning",
    personalization: "personalised learning: participating_clients_ratio",
    pfedgraph_alpha: "pFedGraph",
    pfedgraph_lambda: "pFedGraph",
    pfedgraph_similarity_metric: "pFedGraph",
    pfedgraph_similarity_layers: "pFedGraph",
  },
  "parameters.model": {
    input_dim: "numbers of one input, where the model is none that takes them",
    cut_layer: "where split learning divides a model",
    framework: "another framework than TensorFlow.js",
  },
};

/** Plato's names of things, so that one which is not registered is told from a mistyped one. By catalog kind. */
export const PLATO_NAMES: Readonly<Record<string, readonly string[]>> = {
  clients: words("simple split_learning fedavg_personalized self_supervised_learning mpc"),
  servers: words(
    "fedavg fedavg_lora fedavg_cross_silo fedavg_gan fedavg_he fedavg_personalized fedavg_mpc_additive fedavg_mpc_shamir pfedgraph split_learning diloco",
  ),
  datasources: words(
    "MNIST FashionMNIST EMNIST CIFAR10 CIFAR100 CINIC10 Purchase Texas TinyImageNet CelebA STL10 FEMNIST Femnist Feature",
  ),
  samplers: words(
    "iid noniid mixed orthogonal all_inclusive distribution_noniid label_quantity_noniid mixed_label_quantity_noniid sample_quantity_noniid modality_iid modality_quantity_noniid",
  ),
  trainers: words(
    "basic composable fedprox scaffold feddyn timm_basic diff_privacy HuggingFace split_learning self_supervised_learning gan pfedgraph mlx nanochat",
  ),
  algorithms: words("fedavg fedavg_gan fedavg_personalized split_learning pfedgraph mistnet mlx_fedavg"),
  models: words(
    "lenet5 dcgan multilayer cnn_encoder general_multilayer resnet_18 resnet_34 resnet_50 resnet_101 resnet_152 vgg_11 vgg_13 vgg_16 vgg_19 huggingface torchvision",
  ),
  optimizers: words(
    "Adam Adadelta Adagrad AdamW SparseAdam Adamax ASGD LBFGS NAdam RAdam RMSprop Rprop SGD AdaHessian LARS",
  ),
  schedulers: words(
    "CosineAnnealingLR LambdaLR MultiStepLR StepLR ReduceLROnPlateau ConstantLR LinearLR ExponentialLR CyclicLR CosineAnnealingWarmRestarts timm",
  ),
  losses: words(
    "CrossEntropyLoss L1Loss MSELoss NLLLoss BCELoss BCEWithLogitsLoss KLDivLoss SmoothL1Loss HuberLoss",
  ),
  evaluators: words("lighteval nanochat_core"),
  processors: words(
    "feature_additive_noise feature_dequantize feature_gaussian feature_laplace feature_quantize feature_randomized_response feature_unbatch inbound_feature_tensors mlx_numpy model_decrypt model_encrypt model_randomized_response mpc_model_encrypt_additive mpc_model_encrypt_shamir outbound_feature_ndarrays",
  ),
};

/** Keys that people write for another one, with the one they mean. */
export const MISNAMED: Readonly<Record<string, string>> = {
  "data.dataset": "data.datasource",
  "trainer.learning_rate": "parameters.optimizer.lr",
  "trainer.momentum": "parameters.optimizer.momentum",
  "trainer.weight_decay": "parameters.optimizer.weight_decay",
  "trainer.max_grad_norm": "trainer.clip_grad_norm",
  "trainer.lr_scheduler_type": "trainer.lr_scheduler",
  "trainer.warmup_steps": "parameters.learning_rate.warmup_steps",
  "trainer.warmup_ratio": "parameters.learning_rate.warmup_ratio",
  "trainer.max_length": "data.max_seq_length",
  "data.max_length": "data.max_seq_length",
};

function words(list: string): readonly string[] {
  return list.split(" ");
}
