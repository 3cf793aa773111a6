import { z } from "zod";
import type { Benchmark, RegisterBenchmark } from "../../api/index.js";
import { ElenchusError } from "../../base/index.js";
import type { JsonObject, Storage, StoredDocument } from "../storage/index.js";

const KIND = "benchmark";

const documentSchema = z.object({
  identifier: z.string(),
  provider_id: z.string(),
  provider_resource_id: z.string().nullable(),
  type: z.literal("benchmark"),
  dataset_id: z.string(),
  scoring_functions: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
});

/** The registered benchmarks. */
export class BenchmarkStore {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** @throws CONFLICT */
  async register(given: RegisterBenchmark): Promise<void> {
    const benchmark: Benchmark = {
      identifier: given.benchmark_id,
      provider_id: given.provider_id ?? "elenchus",
      provider_resource_id: given.provider_benchmark_id ?? given.benchmark_id,
      type: "benchmark",
      dataset_id: given.dataset_id,
      scoring_functions: given.scoring_functions,
      metadata: given.metadata ?? {},
    };
    if (await this.#storage.create(KIND, given.benchmark_id, benchmark as unknown as JsonObject)) return;
    throw new ElenchusError("CONFLICT", `Benchmark ${given.benchmark_id} already exists.`);
  }

  /** @throws NOT_FOUND */
  async get(id: string): Promise<Benchmark> {
    const found = await this.#storage.get(KIND, id);
    if (found !== undefined) return benchmarkOf(found);
    throw new ElenchusError("NOT_FOUND", `Benchmark ${id} not found.`);
  }

  async list(): Promise<Benchmark[]> {
    return (await this.#storage.list(KIND)).map(benchmarkOf);
  }

  /** @throws NOT_FOUND */
  async remove(id: string): Promise<void> {
    if (!(await this.#storage.remove(KIND, id))) await this.get(id);
  }
}

function benchmarkOf({ value }: StoredDocument): Benchmark {
  return documentSchema.parse(value);
}
