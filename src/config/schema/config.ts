import { z } from "zod";

/**
 * The keys that are supported, with defaults. Keys keep their TOML names everywhere: what a user writes is
 * what the code reads, what `check` prints and what `run.json` records.
 */
export const configSchema = z.strictObject({
  general: z
    .strictObject({
      base_path: z.string().default("./runtime"),
      debug: z.boolean().default(false),
      project: z.string().optional(),
      group: z.string().optional(),
      evaluate_round_zero: z.boolean().default(false),
    })
    .prefault({}),
  clients: z.strictObject({
    type: z.string().default("simple"),
    total_clients: z.int().positive(),
    per_round: z.int().positive(),
    do_test: z.boolean().default(false),
    test_interval: z.int().positive().default(1),
    comm_simulation: z.boolean().default(true),
    random_seed: z.int().default(1),
  }),
  server: z.strictObject({
    type: z.string().optional(),
    address: z.string().default("127.0.0.1"),
    port: z.int().min(0).max(65535).default(8000),
    disable_clients: z.boolean().default(false),
    do_test: z.boolean().default(true),
    random_seed: z.int().default(1),
    synchronous: z.literal(true).default(true),
    minimum_clients_aggregated: z.int().positive().default(1),
    connect_deadline: z.number().positive().default(60),
    round_deadline: z.number().positive().default(3600),
    reconnect_grace: z.number().nonnegative().default(30),
    ping_interval: z.number().positive().default(25),
    ping_timeout: z.number().positive().default(60),
    aggregation_order: z.enum(["client", "arrival"]).default("client"),
    non_finite_updates: z.enum(["reject", "zero"]).default("reject"),
    token: z.string().optional(),
    checkpoint_path: z.string().default("checkpoints"),
    model_path: z.string().default("models/pretrained"),
    keep_checkpoints: z.int().positive().default(3),
    max_report_bytes: z
      .int()
      .positive()
      .default(1024 ** 2),
    max_chunk_bytes: z
      .int()
      .positive()
      .default(1024 ** 2),
    max_payload_bytes: z
      .int()
      .positive()
      .default(512 * 1024 ** 2),
    max_payload_chunks: z.int().positive().default(4096),
    max_payload_parts: z.int().positive().default(1024),
    max_buffered_bytes: z
      .int()
      .positive()
      .default(1024 ** 3),
    payload_timeout: z.number().positive().default(120),
  }),
  data: z.strictObject({
    datasource: z.string(),
    data_path: z.string().default("data"),
    sampler: z.string(),
    testset_size: z.int().positive().optional(),
    partition_size: z.int().positive().optional(),
    concentration: z.number().positive().default(1),
    random_seed: z.int().default(1),
  }),
  trainer: z.strictObject({
    type: z.string(),
    backend: z.enum(["auto", "node-gpu", "node", "wasm", "cpu"]).default("auto"),
    rounds: z.int().positive(),
    epochs: z.int().positive(),
    batch_size: z.int().positive(),
    optimizer: z.string(),
    lr_scheduler: z.string().optional(),
    loss_criterion: z.string().default("CrossEntropyLoss"),
    model_name: z.string(),
    model_type: z.string().optional(),
    max_concurrency: z.int().positive().optional(),
    target_accuracy: z.number().optional(),
    random_seed: z.int().default(1),
  }),
  algorithm: z.strictObject({ type: z.string() }),
  parameters: z
    .strictObject({
      model: z.record(z.string(), z.unknown()).default({}),
      optimizer: z.record(z.string(), z.unknown()).default({}),
      learning_rate: z.record(z.string(), z.unknown()).default({}),
      loss_criterion: z.record(z.string(), z.unknown()).default({}),
    })
    .prefault({}),
  evaluation: z
    .union([z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown()))])
    .optional(),
  results: z
    .strictObject({
      types: z.array(z.string()).default(["round", "accuracy", "elapsed_time"]),
      result_path: z.string().optional(),
      record_clients_accuracy: z.boolean().default(false),
    })
    .prefault({}),
});

/** The resolved configuration: every default filled in, frozen. */
export type Config = z.output<typeof configSchema>;
