import { z } from "zod";
import "./documentation.js";
import { names } from "./names.js";

const MEBIBYTE = 1024 ** 2;
/** Seconds. A timer holds both heart beat times together, and no more than 2^31 - 1 ms. */
const LONGEST_BEAT = 1_000_000;

/** `[server]`: the address, the round, its deadlines and limits. */
export const serverSchema = z.strictObject({
  type: z.string().min(1).optional().meta({
    description: "Registered kind of server; that of `algorithm.type` when absent.",
  }),
  address: z.string().min(1).default("127.0.0.1").meta({
    description: "Address to listen on and to connect to.",
  }),
  port: z.int().min(0).max(65535).default(8000).meta({ description: "Port; 0 takes any free one." }),
  disable_clients: z.boolean().default(false).meta({
    description: "`run` launches no clients; each `client --id N` is then the logical client N.",
  }),
  do_test: z.boolean().default(true).meta({
    description: "Test the global model after every round. `[evaluation]` needs it.",
  }),
  random_seed: z.int().default(1).meta({ description: "Seed of the selection of clients." }),
  synchronous: z
    .literal(true)
    .default(true)
    .meta({
      description: "Rounds wait for their members. Asynchronous rounds are not supported yet.",
      notYet: [false],
    }),
  minimum_clients_aggregated: z.int().positive().default(1).meta({
    description: "Quorum: a round that closes with fewer updates ends the run.",
    unit: "clients",
  }),
  connect_deadline: z.number().positive().default(60).meta({
    description: "How long the first round waits for clients to connect.",
    unit: "s",
  }),
  round_deadline: z.number().positive().default(3600).meta({
    description: "When a round closes although members have not reported.",
    unit: "s",
  }),
  reconnect_grace: z.number().nonnegative().default(30).meta({
    description: "How long a lost client may take to come back under its identity.",
    unit: "s",
  }),
  ping_interval: z.number().positive().max(LONGEST_BEAT).default(3600).meta({
    description:
      "Between heart beats. Long, since a client that trains in its own process may be slow to answer; one that ends is noticed at once, one that is cut off in silence at `round_deadline` unless this is shorter.",
    unit: "s",
  }),
  ping_timeout: z.number().positive().max(LONGEST_BEAT).default(3600).meta({
    description: "Without an answer to a heart beat for so long a connection counts as lost.",
    unit: "s",
  }),
  aggregation_order: z.enum(["client", "arrival"]).default("client").meta({
    description:
      "`client` folds updates in the order of client ids, so that equal seeds give equal bits; `arrival` folds each at once.",
  }),
  non_finite_updates: z.enum(["reject", "zero"]).default("reject").meta({
    description:
      "What happens to an update with NaN or infinite weights: refused, or those weights set to 0.",
  }),
  max_samples: z.int().positive().optional().meta({
    description:
      "Most samples that a client may say it has trained on, which is the weight of its update. When absent, the most rows that `data.sampler` gives by its sizes; where those follow from the data, 2^53 - 1.",
    unit: "samples",
  }),
  token: z.string().min(1).optional().meta({
    description:
      "Secret that clients present. `run` makes one; `server` and `client` need it. Never printed or recorded.",
  }),
  outbound_processors: names().default([]).meta({
    description:
      "What is done with the global weights before they are sent, as `clients.outbound_processors`.",
  }),
  inbound_processors: names().optional().meta({
    description:
      "What the server undoes of `clients.outbound_processors`: follows from it, and may be written out in the reverse order.",
  }),
  simulate_wall_time: z.boolean().default(false).meta({
    description:
      "Times are those of a simulated clock: a round takes as long as its slowest client, by the training and communication times that clients and `compute_comm_time` give, however many processes there are.",
  }),
  downlink_bandwidth: bandwidth("can send to"),
  uplink_bandwidth: bandwidth("can receive from"),
  tls_cert: z.string().min(1).optional().meta({
    description:
      "File with the server's certificate and those that vouch for it (PEM): the server then speaks TLS alone, with `tls_key`.",
  }),
  tls_key: z.string().min(1).optional().meta({
    description: "File with the private key of `tls_cert` (PEM, without a password).",
  }),
  use_https: z.boolean().optional().meta({
    description:
      "Whether clients connect over TLS; when absent, with `tls_cert`. Set it where a proxy in front of the server speaks TLS.",
  }),
  checkpoint_path: z.string().min(1).default("checkpoints").meta({
    description: "Folder of checkpoints, under `general.base_path`.",
  }),
  model_path: z.string().min(1).default("models/pretrained").meta({
    description:
      "Accepted for Plato's sake, without effect: models are built, and checkpoints lie in `checkpoint_path`.",
  }),
  keep_checkpoints: z.int().positive().default(3).meta({
    description: "Newest checkpoints kept, beside the best ones.",
  }),
  max_report_bytes: bytes(MEBIBYTE, "Largest report of a client."),
  max_chunk_bytes: bytes(MEBIBYTE, "Largest chunk of a payload."),
  max_payload_bytes: bytes(512 * MEBIBYTE, "Largest payload."),
  max_payload_chunks: z.int().positive().default(4096).meta({ description: "Most chunks of a payload." }),
  max_payload_parts: z.int().positive().default(1024).meta({
    description: "Accepted for Plato's sake, without effect: a payload has one part.",
  }),
  max_buffered_bytes: bytes(1024 * MEBIBYTE, "All unfinished uploads together."),
  payload_timeout: z.number().positive().default(120).meta({
    description: "A payload that is not complete after so long is dropped.",
    unit: "s",
  }),
});

function bandwidth(direction: string) {
  return z
    .number()
    .positive()
    .default(100)
    .meta({
      description: `With \`clients.compute_comm_time\`: what the server ${direction} clients, shared by those of a round.`,
      unit: "Mbit/s",
    });
}

function bytes(limit: number, description: string) {
  return z.int().positive().default(limit).meta({ description, unit: "bytes" });
}
