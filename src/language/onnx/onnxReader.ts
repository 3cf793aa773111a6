import { ElenchusError } from "../../base/index.js";
import { type CausalModel, MOST_LOGITS } from "../../models/index.js";
import type { CausalGraph, OnnxNetwork } from "../../models/onnx/index.js";
import type { TokenPass, TokenReader } from "../passes/tokenReader.js";
import { KeyValueBuffers } from "./keyValueBuffers.js";
import { ModelWeights } from "./modelWeights.js";
import { OnnxAngles } from "./onnxAngles.js";
import type { OnnxRuntime, OnnxSession, OnnxTensor } from "./onnxRuntime.js";
import { OnnxSessions } from "./onnxSessions.js";
import { passFeeds } from "./passFeeds.js";
import { planReading, type Reading } from "./reading.js";

/** Reads tokens with onnxruntime, from the weights that a causal model has at the time. */
export class OnnxReader implements TokenReader<KeyValueBuffers> {
  readonly contextLength: number;
  readonly vocabularySize: number;
  readonly branches = true;
  readonly name: string;
  readonly network: OnnxNetwork;
  readonly #runtime: OnnxRuntime;
  readonly #weights: ModelWeights;
  readonly #sessions: OnnxSessions;
  readonly #angles: OnnxAngles | undefined;

  constructor(
    runtime: OnnxRuntime,
    model: CausalModel,
    { network, threads }: { network: OnnxNetwork; threads: number },
  ) {
    this.contextLength = model.contextLength;
    this.vocabularySize = model.vocabularySize;
    this.name = model.name;
    this.network = network;
    this.#runtime = runtime;
    this.#weights = new ModelWeights(runtime, model);
    this.#sessions = new OnnxSessions(runtime, { network, shapes: this.#weights.shapes, threads });
    this.#angles = network.rotary && new OnnxAngles(network.rotary);
  }

  createCache(batch: number, capacity: number): KeyValueBuffers {
    const { cache, rotary, shiftedWidth = 0 } = this.network;
    if (rotary?.scaling.type === "dynamic" && capacity > rotary.scaling.originalContext) {
      throw new ElenchusError(
        "CAPABILITY_MISSING",
        `${this.name} scales its positions by the length of the row, so beyond ${rotary.scaling.originalContext} tokens nothing it has read can be kept. Read whole rows instead.`,
      );
    }
    return new KeyValueBuffers(cache, batch, capacity, shiftedWidth);
  }

  async read(
    rows: readonly (readonly number[])[],
    { cache, parents, places, visit }: TokenPass<KeyValueBuffers>,
  ): Promise<void> {
    const reading = planReading(rows, { cache, parents }, this);
    const size = this.vocabularySize;
    const each = Math.max(1, Math.floor(MOST_LOGITS / size));
    const chosen = places.map(({ row, token }) => row * reading.length + token);
    const pass = await this.#pass(reading, cache, { places: chosen, heads: Math.min(each, chosen.length) });
    give(pass.logits, 0);
    for (let start = each; start < chosen.length; start += each) {
      give(await this.#logitsOf(pass.states!, start, Math.min(start + each, chosen.length)), start);
    }

    function give(logits: Float32Array, start: number): void {
      for (let at = 0; at < logits.length; at += size) {
        visit(start + at / size, logits.subarray(at, at + size));
      }
    }
  }

  async forward(rows: readonly (readonly number[])[]): Promise<Float32Array> {
    const reading = planReading(rows, {}, this);
    const { batch, length, own } = reading;
    // In padding stands what the row's last token gives.
    const places = Array.from({ length: batch * length }, (_, place) => {
      const row = Math.floor(place / length);
      return Math.min(place, row * length + own[row]! - 1);
    });
    return (await this.#pass(reading, undefined, { places, heads: places.length })).logits;
  }

  /** Frees what onnxruntime holds; it is made anew when it is needed again. */
  async release(): Promise<void> {
    await this.#sessions.release();
  }

  async #pass(
    reading: Reading,
    cache: KeyValueBuffers | undefined,
    { places, heads }: { places: readonly number[]; heads: number },
  ): Promise<{ logits: Float32Array; states: OnnxTensor | undefined }> {
    const { graph, session } = await this.#sessions.of(reading.form);
    const { outputs } = graph;
    // Rows that branch have no one end to go on from.
    const kept = reading.parents ? undefined : cache;
    kept?.reserve(Math.max(...reading.totals));
    const feeds = passFeeds(this.#runtime, reading, {
      network: this.network,
      angles: this.#angles,
      cache,
      places,
      heads,
    });
    const fetches: Record<string, null> = { [outputs.logits]: null };
    if (heads < places.length) fetches[outputs.states] = null;
    if (kept) {
      for (const name of [...outputs.keys, ...outputs.values]) fetches[name] = null;
      if (outputs.shifted !== "") fetches[outputs.shifted] = null;
    }
    const results = await this.#run(session, graph, { feeds, fetches });
    if (kept) keep(kept, reading, outputs, results);
    return { logits: numbers(results[outputs.logits]), states: results[outputs.states] };
  }

  async #logitsOf(states: OnnxTensor, start: number, end: number): Promise<Float32Array> {
    const { graph, session } = await this.#sessions.head();
    const width = states.dims[1]!;
    const some = numbers(states).subarray(start * width, end * width);
    const feeds = { states: new this.#runtime.Tensor("float32", some, [end - start, width]) };
    const results = await this.#run(session, graph, { feeds, fetches: { [graph.logits]: null } });
    return numbers(results[graph.logits]);
  }

  /** A heap that grows or weights that are replaced while the run waits for its turn leave nothing to rely on. */
  async #run(
    session: OnnxSession,
    { inputs, weights }: Pick<CausalGraph, "inputs" | "weights">,
    { feeds, fetches }: { feeds: Record<string, OnnxTensor>; fetches: Record<string, null> },
  ): Promise<Readonly<Record<string, OnnxTensor>>> {
    const given = this.#weights.tensors(weights);
    for (const name of inputs) given[name] ??= feeds[name]!;
    try {
      const results = await session.run(given, fetches);
      if (this.#weights.unmoved(weights)) return results;
    } catch (error) {
      if (this.#weights.unmoved(weights)) throw error;
    }
    return await this.#run(session, { inputs, weights }, { feeds, fetches });
  }
}

/** Puts what was read into the cache. */
function keep(
  cache: KeyValueBuffers,
  { own, length, batch }: Reading,
  outputs: CausalGraph["outputs"],
  results: Readonly<Record<string, OnnxTensor>>,
): void {
  const layers = outputs.keys.map((name, layer) => ({
    keys: numbers(results[name]),
    values: numbers(results[outputs.values[layer]!]),
  }));
  cache.append(layers, length, own);
  if (outputs.shifted === "") return;
  const shifted = numbers(results[outputs.shifted]);
  const width = shifted.length / (batch * (length + 1));
  own.forEach((count, row) => {
    // The entry at a row's own length is its last token, or what it had before.
    const start = (row * (length + 1) + count) * width;
    cache.last.set(shifted.subarray(start, start + width), row * width);
  });
}

function numbers(tensor: OnnxTensor | undefined): Float32Array {
  if (tensor?.data instanceof Float32Array) return tensor.data;
  throw new TypeError("onnxruntime gave no 32-bit floats where they were expected");
}
