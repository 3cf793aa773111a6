import { z } from "zod";
import "./documentation.js";

const MEBIBYTE = 1024 ** 2;

/** What a token allows. `admin` is all of them. */
export const SCOPES = ["read", "write", "run", "infer", "admin"] as const;

/** What a request needs to be allowed. */
export type Scope = (typeof SCOPES)[number];

const tokenSchema = z
  .strictObject({
    name: z.string().regex(/^[\w.-]{1,64}$/, { error: "a name of letters, digits, `_`, `.` and `-`" }),
    scopes: z.array(z.enum(SCOPES)).min(1).default(["admin"]),
    token: z.string().min(16).optional(),
    env: z.string().min(1).optional(),
    file: z.string().min(1).optional(),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, { error: "64 hexadecimal digits" })
      .optional(),
  })
  .refine(
    ({ token, env, file, sha256 }) => [token, env, file, sha256].filter((x) => x !== undefined).length === 1,
    {
      error:
        "tables with name, scopes and exactly one of token (16 characters or more), env, file and sha256, each name once",
    },
  );

const modelSchema = z.strictObject({
  name: z.string().min(1).max(200),
  reference: z.union([z.string().min(1), z.record(z.string(), z.unknown())]),
});

/** `[service]`: the HTTP service, its storage and its jobs. */
export const serviceSchema = z.strictObject({
  address: z.string().min(1).default("127.0.0.1").meta({
    description: "Address that `serve` listens on. Any but a loopback address needs `tokens`.",
  }),
  port: z.int().min(0).max(65535).default(8321).meta({ description: "Port; 0 takes any free one." }),
  tokens: z
    .array(tokenSchema)
    .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, {
      error: "each name once",
    })
    .default([])
    .meta({
      description:
        "Who may ask for what: tables with `name`, `scopes` (`read`, `write`, `run`, `infer`, `admin`) and one of `token`, `env` (a variable), `file` or `sha256` (of the token, in hexadecimal). Without any, only requests of this machine are answered. Never printed or recorded.",
    }),
  models: z
    .array(modelSchema)
    .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, {
      error: "each name once",
    })
    .default([])
    .meta({
      description:
        "Models by a name of their own: tables with `name` and `reference`, which is `https://host/v1#MODEL`, a folder or repository, `RUN@ROUND`, or a table with more settings such as `{ url, model, key_variable }`. Only models listed here get a key.",
    }),
  models_loaded: z.int().positive().default(1).meta({
    description: "Most models of this machine held in memory at a time; that used longest ago makes room.",
  }),
  data_path: z.string().min(1).default("data").meta({
    description: "Folder under `general.base_path` outside of which requests can name no file.",
  }),
  storage_path: z.string().min(1).default("service").meta({
    description: "Folder under `general.base_path` of what the service keeps.",
  }),
  database: z
    .string()
    .refine((address) => /^postgres(ql)?:\/\//.test(address), {
      error: "an address postgres://user:password@host/name",
    })
    .optional()
    .meta({
      description:
        "PostgreSQL as `postgres://user:password@host/name`, for workers on other machines. Absent: files in `storage_path`. Never printed or recorded.",
    }),
  queue: z
    .string()
    .refine((address) => /^rediss?:\/\//.test(address), { error: "an address redis://host:port" })
    .optional()
    .meta({
      description:
        "Redis as `redis://host:port`, so that workers on several machines share the jobs. Absent: a process does its own jobs, and those of others that have the same storage open. Never printed or recorded.",
    }),
  concurrency: z.int().nonnegative().max(256).default(1).meta({
    description: "Most jobs at once in one process; with 0 `serve` does none and leaves them to `worker`.",
    unit: "jobs",
  }),
  lease: z.number().min(1).max(3600).default(30).meta({
    description:
      "A job whose worker has said nothing for so long is given to another. Longer than anything that may hold up a worker's thread.",
    unit: "s",
  }),
  allow_private_addresses: z.boolean().optional().meta({
    description:
      "Whether requests may name data sets and models on private addresses. Absent: only while the service itself listens on a loopback address.",
  }),
  max_body_bytes: bytes(32 * MEBIBYTE, "Largest body of a request that is no upload."),
  max_upload_bytes: bytes(512 * MEBIBYTE, "Largest file uploaded, or fetched for a data set."),
  dataset_cache_bytes: z
    .int()
    .nonnegative()
    .default(2 * 1024 * MEBIBYTE)
    .meta({
      description:
        "Most bytes kept, below `storage_path`, of files that data sets were fetched from; a file is fetched again when its server says that it has changed. 0: none are kept.",
      unit: "bytes",
    }),
  max_dataset_rows: z.int().positive().default(1_000_000).meta({
    description: "Most rows of a data set.",
    unit: "rows",
  }),
  max_request_rows: z.int().positive().default(10_000).meta({
    description: "Most rows of one request that is answered at once; larger ones are jobs.",
    unit: "rows",
  }),
  scoring_threads: z.int().min(1).max(64).optional().meta({
    description:
      "Threads that judge rows and read answers, so that none of it holds up the server. Absent: one less than the machine has processors, at least 1 and at most 8.",
    unit: "threads",
  }),
  row_deadline: z.number().min(0.1).max(3600).default(10).meta({
    description:
      "How long a scorer or a processor may compute on one row. A row that takes longer is one that could not be judged; the others go on.",
    unit: "s",
  }),
  max_row_characters: z.int().positive().default(MEBIBYTE).meta({
    description:
      "Most characters in all texts of one row that is judged, and of one answer that is read. A row with more is one that could not be judged.",
    unit: "characters",
  }),
  max_new_tokens: z.int().positive().default(4096).meta({
    description: "Most tokens that one completion may ask for.",
    unit: "tokens",
  }),
  request_timeout: z.number().positive().max(86_400).default(600).meta({
    description: "How long one request may take. Jobs have no such limit.",
    unit: "s",
  }),
  rate_limit: z.int().nonnegative().default(1200).meta({
    description: "Requests of one token within a minute; 0 for no limit.",
    unit: "requests",
  }),
});

/** The resolved `[service]`. */
export type ServiceConfig = z.output<typeof serviceSchema>;

function bytes(limit: number, description: string) {
  return z.int().positive().default(limit).meta({ description, unit: "bytes" });
}
