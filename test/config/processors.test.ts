import { describe, expect, it } from "vitest";
import { checkConfig } from "../../src/config/index.js";
import { processingOf, processorCatalog } from "../../src/processors/index.js";
import { smallCatalog } from "./support/catalog.js";

function check(sections: Record<string, Record<string, unknown>>) {
  const base = {
    clients: { total_clients: 4, per_round: 2 },
    data: { datasource: "digits", sampler: "iid" },
    trainer: { type: "basic", rounds: 2, epochs: 1, batch_size: 8, optimizer: "SGD", model_name: "lenet5" },
    algorithm: { type: "fedavg" },
    parameters: { optimizer: { lr: 0.1 } },
  };
  const names = [...new Set([...Object.keys(base), ...Object.keys(sections)])];
  const object = Object.fromEntries(
    names.map((name) => [name, { ...(base as Record<string, object>)[name], ...sections[name] }]),
  );
  return checkConfig({ object }, smallCatalog({ processors: processorCatalog() }));
}

const faultsOf = (sections: Parameters<typeof check>[0]) =>
  check(sections).errors.map(({ code, key, expected }) => `${code} ${key}: ${expected}`);

describe("lists of processors", () => {
  it("may be Plato's, written out for both ends", () => {
    const { errors, config } = check({
      clients: { outbound_processors: "unstructured_pruning, model_quantize_qsgd, model_compress" },
      server: { inbound_processors: ["model_decompress", "model_dequantize_qsgd"] },
      parameters: { processors: { model_quantize_qsgd: { levels: 7 } } },
    });
    expect(errors).toEqual([]);
    expect(config!.parameters.processors).toEqual({
      model_quantize_qsgd: { levels: 7, bucket_size: 512, error_feedback: false },
    });
    const { up, down } = processingOf(config!);
    expect(JSON.parse(up.signature)).toEqual([
      ["unstructured_pruning", { amount: 0.2, method: "l1" }],
      ["qsgd", { levels: 7, bucket_size: 512, error_feedback: false }],
      ["zstd", { level: 3 }],
    ]);
    expect(down.processes).toBe(false);
  });

  it("drop what happens anyway, with a warning", () => {
    const { errors, warnings, config } = check({ clients: { outbound_processors: ["model_deepcopy"] } });
    expect(errors).toEqual([]);
    expect(warnings).toMatchObject([{ code: "CONFIG_NO_EFFECT" }]);
    expect(config!.clients.outbound_processors).toEqual([]);
  });

  it.each([
    [{ clients: { outbound_processors: ["zstdd"] } }, /^NAME_UNKNOWN clients.outbound_processors/],
    [
      { clients: { outbound_processors: ["model_encrypt"] } },
      /^CONFIG_UNSUPPORTED clients.outbound_processors/,
    ],
    [{ clients: { outbound_processors: ["model_decompress"] } }, /belongs among inbound processors/],
    [{ clients: { outbound_processors: ["zstd", "top_k"] } }, /"zstd" at the end/],
    [{ clients: { outbound_processors: ["deflate", "zstd"] } }, /one of deflate or zstd/],
    [{ server: { outbound_processors: ["top_k"] } }, /set it in clients.outbound_processors/],
    [
      { server: { inbound_processors: ["zstd"] } },
      /^CONFIG_CONFLICT server.inbound_processors: \[\], which undoes/,
    ],
    [
      {
        clients: { outbound_processors: ["top_k", "zstd"] },
        server: { inbound_processors: ["top_k", "zstd"] },
      },
      /\["zstd", "top_k"\], which undoes clients.outbound_processors/,
    ],
    [
      { clients: { outbound_processors: ["top_k"] }, parameters: { processors: { top_k: { ratio: 2 } } } },
      /^CONFIG_VALUE parameters.processors.top_k.ratio/,
    ],
    [{ parameters: { processors: { top: {} } } }, /^CONFIG_UNKNOWN_KEY parameters.processors.top/],
  ])("are refused where they cannot work: %j", (sections, message) => {
    expect(faultsOf(sections as Parameters<typeof check>[0])).toEqual([expect.stringMatching(message)]);
  });
});

describe("simulated times", () => {
  it("need an average to simulate sleep with", () => {
    expect(faultsOf({ clients: { speed_simulation: true, sleep_simulation: true } })).toEqual([
      expect.stringMatching(/^CONFIG_MISSING_KEY clients.avg_training_time/),
    ]);
  });

  it("check the distribution", () => {
    const distribution = (table: object) =>
      faultsOf({ clients: { speed_simulation: true, simulation_distribution: table as never } });
    expect(distribution({ distribution: "zipf", s: 1.5 })).toEqual([]);
    expect(distribution({ distribution: "zipf", s: 1 })).toHaveLength(1);
    expect(distribution({ distribution: "beta" })).toHaveLength(1);
    expect(distribution({ distribution: "uniform", low: 3, high: 1 })).toHaveLength(1);
  });

  it("warn of keys that nothing reads", () => {
    const { warnings } = check({
      clients: { max_sleep_time: 3, avg_training_time: 1 },
      server: { uplink_bandwidth: 5 },
    });
    expect(warnings.map(({ key }) => key).sort()).toEqual([
      "clients.avg_training_time",
      "clients.max_sleep_time",
      "server.uplink_bandwidth",
    ]);
  });
});

describe("TLS", () => {
  it("needs certificate and key, and clients that use it", () => {
    expect(faultsOf({ server: { tls_cert: "a.pem" } })).toEqual([
      "CONFIG_CONFLICT server.tls_cert: server.tls_key beside it",
    ]);
    expect(faultsOf({ server: { tls_cert: "a.pem", tls_key: "b.pem", use_https: false } })).toHaveLength(1);
    expect(faultsOf({ server: { tls_cert: "a.pem", tls_key: "b.pem" } })).toEqual([]);
  });
});
