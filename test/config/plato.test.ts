import { describe, expect, it } from "vitest";
import { algorithmCatalog, serverCatalog } from "../../src/algorithms/index.js";
import { checkConfig } from "../../src/config/index.js";
import { datasourceCatalog, samplerCatalog } from "../../src/data/index.js";
import { smallCatalog, validToml } from "./support/catalog.js";

/** Every key that Plato documents, by section. */
const PLATO: Record<string, string> = {
  general: "base_path debug",
  clients: `type total_clients per_round do_test test_interval comm_simulation compute_comm_time speed_simulation
    random_seed max_sleep_time simulation_distribution sleep_simulation avg_training_time outbound_processors
    inbound_processors participating_clients_ratio mpc_debug_artifacts`,
  server: `type address port use_https disable_clients do_test edge_do_test random_seed synchronous periodic_interval
    minimum_clients_aggregated minimum_edges_aggregated staleness_bound simulate_wall_time request_update
    downlink_bandwidth uplink_bandwidth edge_downlink_bandwidth edge_uplink_bandwidth ping_interval ping_timeout
    model_path checkpoint_path outbound_processors inbound_processors s3_endpoint_url s3_bucket access_key secret_key
    zk_address zk_port mpc_shamir_threshold do_personalization_interval do_personalization_group max_report_bytes
    max_chunk_bytes max_payload_bytes max_payload_chunks max_payload_parts max_buffered_bytes payload_timeout
    mixing_hyperparameter adaptive_mixing staleness_weighting_function diloco`,
  data: `datasource data_path train_path test_path sampler testset_sampler testset_size random_seed partition_size
    partition_distribution concentration non_iid_clients institution_class_ids label_distribution
    per_client_classes_size anchor_classes consistent_clients_size keep_anchor_classes_size
    client_quantity_concentration label_concentration min_partition_size per_client_modalties_size reload_data
    dataset_name dataset_config train_split validation_split preprocessing_mode messages_field label_strategy
    max_seq_length pack_sequences`,
  trainer: `type framework rounds max_concurrency target_accuracy target_perplexity epochs batch_size optimizer
    lr_scheduler global_lr_scheduler loss_criterion model_name model_type tokenizer_name model_revision
    tokenizer_revision model_dtype bf16 fp16 gradient_accumulation_steps gradient_checkpointing local_steps_per_round
    preserve_optimizer_state model_seed training_seed clip_grad_norm dp_epsilon dp_delta dp_max_grad_norm
    max_physical_batch_size`,
  algorithm: `type cross_silo total_silos local_rounds local_layer_names epsilon personalization pfedgraph_alpha
    pfedgraph_lambda pfedgraph_similarity_metric pfedgraph_similarity_layers`,
  parameters: "model optimizer learning_rate loss_criterion",
  evaluation: "type fail_on_error preset primary_metric max_samples batch_size",
  results: "types result_path record_clients_accuracy plot",
};
const KEYS = Object.entries(PLATO).flatMap(([section, keys]) =>
  keys.split(/\s+/).map((key) => `${section}.${key}`),
);

describe("Plato's keys", () => {
  it.each(KEYS)("%s is known", (key) => {
    const [section, name] = key.split(".") as [string, string];
    const { errors } = checkConfig(
      { object: { [section]: { [name]: { distribution: "normal" } } } },
      smallCatalog({
        samplers: samplerCatalog(),
        datasources: datasourceCatalog(),
        algorithms: algorithmCatalog(),
        servers: serverCatalog(),
      }),
    );
    expect(errors.filter((issue) => issue.code === "CONFIG_UNKNOWN_KEY")).toEqual([]);
  });

  it("are told from mistyped ones, tables and all", () => {
    const text = validToml("epsilon = 1.0\n[algorithm.personalization]\nparticipating_clients_ratio = 1.0");
    const { errors } = checkConfig({ text, file: "a.toml" }, smallCatalog());
    expect(errors.map(({ code, key }) => [code, key])).toEqual([
      ["CONFIG_UNSUPPORTED", "algorithm.epsilon"],
      ["CONFIG_UNSUPPORTED", "algorithm.personalization"],
    ]);
  });

  it("and names: what Plato has and we have not yet is no mistake of the user's", () => {
    const text = validToml('[evaluation]\ntype = "lighteval"')
      .replace('"digits"', '"MNIST"')
      .replace('"SGD"', '"RMSprop"')
      .replace('"basic"', '"bsic"');
    const { errors } = checkConfig({ text }, smallCatalog());
    expect(errors.map(({ code, value }) => [code, value])).toEqual([
      ["CONFIG_UNSUPPORTED", "MNIST"],
      ["NAME_UNKNOWN", "bsic"],
      ["CONFIG_UNSUPPORTED", "RMSprop"],
      ["CONFIG_UNSUPPORTED", "lighteval"],
    ]);
  });

  it("become supported where the chosen sampler declares them, and without effect where another does", () => {
    const text = validToml().replace('"iid"', '"mixed"\nnon_iid_clients = 3\npartition_size = 10');
    const { config } = checkConfig({ text }, smallCatalog());
    expect(config?.data).toMatchObject({ sampler: "mixed", non_iid_clients: 3, partition_size: 10 });
    const unused = checkConfig({ text: text.replace('"mixed"', '"iid"') }, smallCatalog());
    expect(unused.ok).toBe(true);
    expect(unused.warnings).toMatchObject([
      {
        code: "CONFIG_NO_EFFECT",
        key: "data.non_iid_clients",
        expected: 'without effect, only the sampler "mixed" reads it',
      },
    ]);
    expect(unused.config?.data).not.toHaveProperty("non_iid_clients");
    const missing = checkConfig({ text: text.replace(/non_iid.*\npartition.*\n/, "") }, smallCatalog());
    expect(missing.errors).toMatchObject([
      { code: "CONFIG_MISSING_KEY", key: "data.non_iid_clients", expected: "a positive integer" },
      { code: "CONFIG_MISSING_KEY", key: "data.partition_size", expected: "a positive integer" },
    ]);
  });

  it("take a comma string for the columns, or a list", () => {
    const types = (value: string) =>
      checkConfig({ text: validToml(`[results]\ntypes = ${value}`) }, smallCatalog());
    expect(types('"round, accuracy,train_loss"').config?.results.types).toEqual([
      "round",
      "accuracy",
      "train_loss",
    ]);
    expect(types('["accuracy", "round"]').config?.results.types).toEqual(["accuracy", "round"]);
    expect(types('" , "').errors).toMatchObject([{ code: "CONFIG_VALUE", expected: "at least one name" }]);
    expect(types('"round, round"').errors).toMatchObject([
      { code: "CONFIG_VALUE", expected: "each name once" },
    ]);
  });

  it("say once that communication is not simulated through files", () => {
    const text = validToml().replace("per_round = 4", "per_round = 4\ncomm_simulation = true");
    expect(checkConfig({ text }, smallCatalog()).warnings).toMatchObject([
      { code: "CONFIG_NO_EFFECT", key: "clients.comm_simulation" },
    ]);
  });
});
