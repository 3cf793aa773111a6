import { ElenchusError } from "../../base/index.js";
import { type CausalModel, MOST_LOGITS } from "../../models/index.js";
import type { CausalGraph, GraphEnd, OnnxNetwork } from "../../models/onnx/index.js";
import type { PassBeginnings, Place, ScorePass, TokenPass, TokenReader } from "../passes/tokenReader.js";
import { KeyValueBuffers } from "./keyValueBuffers.js";
import { ModelWeights } from "./modelWeights.js";
import { OnnxAngles } from "./onnxAngles.js";
import type { OnnxRuntime, OnnxSession, OnnxTensor } from "./onnxRuntime.js";
import { OnnxSessions } from "./onnxSessions.js";
import { askedPairs, passFeeds } from "./passFeeds.js";
import { keep, numbers } from "./passResults.js";
import { givePlaceScores } from "./placeScores.js";
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
    { places, visit, ...from }: TokenPass<KeyValueBuffers>,
  ): Promise<void> {
    const size = this.vocabularySize;
    await this.#readParts(rows, from, { places, end: "logits" }, ([logits], start) => {
      const all = numbers(logits);
      for (let at = 0; at < all.length; at += size) visit(start + at / size, all.subarray(at, at + size));
    });
  }

  async score(
    rows: readonly (readonly number[])[],
    { places, visit, ...from }: ScorePass<KeyValueBuffers>,
  ): Promise<void> {
    // Of no place at all, onnxruntime's TopK would divide by zero and end the process.
    if (places.length === 0) return this.read(rows, { ...from, places, visit: () => {} });
    const asked = places.map(({ tokens }) => tokens);
    await this.#readParts(rows, from, { places, end: "scores", asked }, ([likely, best], start) => {
      const some = asked.slice(start, start + best!.dims[0]!);
      givePlaceScores(numbers(likely), best!.data as Int32Array, some, (at, scores) => {
        visit(start + at, scores);
      });
    });
  }

  async forward(rows: readonly (readonly number[])[]): Promise<Float32Array> {
    const reading = planReading(rows, {}, this);
    const { batch, length, own } = reading;
    // In padding stands what the row's last token gives.
    const places = Array.from({ length: batch * length }, (_, place) => {
      const row = Math.floor(place / length);
      return Math.min(place, row * length + own[row]! - 1);
    });
    const { ends } = await this.#pass(reading, undefined, { places, heads: places.length, end: "logits" });
    return numbers(ends[0]);
  }

  /** Frees what onnxruntime holds; it is made anew when it is needed again. */
  async release(): Promise<void> {
    await this.#sessions.release();
  }

  /** Reads rows, and gives out ends for so many places at a time that they are not too many numbers. */
  async #readParts(
    rows: readonly (readonly number[])[],
    from: PassBeginnings<KeyValueBuffers>,
    { places, end, asked = [] }: Wanted & { readonly places: readonly Place[] },
    give: (ends: readonly OnnxTensor[], start: number) => void,
  ): Promise<void> {
    const reading = planReading(rows, from, this);
    const each = Math.max(1, Math.floor(MOST_LOGITS / this.vocabularySize));
    const chosen = places.map(({ row, token }) => row * reading.length + token);
    const heads = Math.min(each, chosen.length);
    const pass = await this.#pass(reading, from.cache, {
      places: chosen,
      heads,
      end,
      asked: asked.slice(0, heads),
    });
    give(pass.ends, 0);
    for (let start = heads; start < chosen.length; start += each) {
      const part = { start, stop: Math.min(start + each, chosen.length) };
      give(await this.#endsOf(pass.states!, part, { end, asked }), start);
    }
  }

  async #pass(
    reading: Reading,
    cache: KeyValueBuffers | undefined,
    {
      places,
      heads,
      end,
      asked = [],
    }: Wanted & { readonly places: readonly number[]; readonly heads: number },
  ): Promise<{ ends: OnnxTensor[]; states: OnnxTensor | undefined }> {
    const { graph, session } = await this.#sessions.of(reading.form, end);
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
      asked,
    });
    const wanted = [...outputs.ends];
    if (heads < places.length) wanted.push(outputs.states);
    if (kept) {
      wanted.push(...outputs.keys, ...outputs.values);
      if (outputs.shifted !== "") wanted.push(outputs.shifted);
    }
    const results = await this.#run(session, graph, { feeds, wanted });
    if (kept) keep(kept, reading, outputs, results);
    return { ends: outputs.ends.map((name) => results[name]!), states: results[outputs.states] };
  }

  async #endsOf(
    states: OnnxTensor,
    { start, stop }: { start: number; stop: number },
    { end, asked = [] }: Wanted,
  ): Promise<OnnxTensor[]> {
    const { graph, session } = await this.#sessions.head(end);
    const width = states.dims[1]!;
    const some = numbers(states).subarray(start * width, stop * width);
    const feeds = {
      states: new this.#runtime.Tensor("float32", some, [stop - start, width]),
      asked: askedPairs(this.#runtime, asked.slice(start, stop)),
    };
    const results = await this.#run(session, graph, { feeds, wanted: graph.ends });
    return graph.ends.map((name) => results[name]!);
  }

  /** A heap that grows or weights that are replaced while the run waits for its turn leave nothing to rely on. */
  async #run(
    session: OnnxSession,
    { inputs, weights }: Pick<CausalGraph, "inputs" | "weights">,
    { feeds, wanted }: { feeds: Readonly<Record<string, OnnxTensor>>; wanted: readonly string[] },
  ): Promise<Readonly<Record<string, OnnxTensor>>> {
    const given = this.#weights.tensors(weights);
    for (const name of inputs) given[name] ??= feeds[name]!;
    try {
      const results = await session.run(given, Object.fromEntries(wanted.map((name) => [name, null])));
      if (this.#weights.unmoved(weights)) return results;
    } catch (error) {
      if (this.#weights.unmoved(weights)) throw error;
    }
    return await this.#run(session, { inputs, weights }, { feeds, wanted });
  }
}

/** What is wanted of places; with `scores`, tokens that are asked of, by place. */
interface Wanted {
  readonly end: GraphEnd;
  readonly asked?: readonly (readonly number[])[];
}
