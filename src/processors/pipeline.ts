import { ElenchusError, type Random } from "../base/index.js";
import {
  type ByteSource,
  ELEMENT_BYTES,
  encodeWeights,
  type LayoutEntry,
  layoutOf,
  padded,
  readWeights,
  requireSameLayout,
  type WeightArray,
  type WeightData,
  type WeightLayout,
  type Weights,
} from "../weights/index.js";
import { type ArrayStage, decodeArray, encodeArrays, encodedAs, touches } from "./arrayStages.js";
import { compressBlocks, expandBlocks } from "./blocks.js";
import { ByteReader } from "./byteReader.js";
import { elements } from "./elements.js";
import { encodeEnvelope, readEnvelope, requireUnprocessed } from "./envelope.js";
import type { ByteProcessor, NamedArray, Processor } from "./processor.js";

/** A processor of a list, with its name and options. */
export interface Stage {
  readonly name: string;
  /** With defaults filled in: both ends must have the same. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly processor: Processor;
}

export interface EncodeOptions {
  /** Draws of its own for each processor of the list. */
  readonly randomOf: (processor: string) => Random;
  /** The global weights as whoever encodes got them; needed with `ofChanges`. */
  readonly reference?: Weights | undefined;
  /** What earlier updates lost, by array; with `keepsError`. */
  readonly lost?: Weights | undefined;
}

/** A processed payload. */
export interface Encoded {
  /** To be sent one after the other. */
  readonly parts: readonly Uint8Array[];
  /** The weights as the other end will have them. */
  received(): Promise<Weights>;
  /** What is lost up to and with this update, by array; empty without `keepsError`. */
  lost(): Promise<Weights>;
}

export interface DecodeOptions {
  /** The layout that the weights must have. Absent: whatever the payload says, within `limit`. */
  readonly layout?: WeightLayout | undefined;
  /** Bytes of the weights without processors, at most. */
  readonly limit?: number | undefined;
  readonly reference?: Weights | undefined;
}

/** A list of processors, for one direction. */
export interface Pipeline {
  /** False for an empty list: payloads are then plain weights. */
  readonly processes: boolean;
  /** The processors with their options, as JSON. */
  readonly signature: string;
  /** Whether both ends need the global weights that an update started from. */
  readonly ofChanges: boolean;
  /** Whether the sender keeps what is lost, and adds it to its next update. */
  readonly keepsError: boolean;
  /** Whether what arrives may differ from what was sent. */
  readonly lossy: boolean;
  /** @throws WEIGHTS_INVALID for weights that are not sound */
  encode(weights: Weights, options: EncodeOptions): Promise<Encoded>;
  /**
   * The arrays of a processed payload one by one, so that memory is needed for one, and none before their sizes are
   * known to be right.
   * @throws PAYLOAD_INVALID, WEIGHTS_INVALID
   */
  decode(source: ByteSource, options: DecodeOptions): AsyncGenerator<NamedArray>;
  /** All of them at once. @throws as `decode` */
  decodeWeights(source: ByteSource, options: DecodeOptions): Promise<Weights>;
}

/** @param list in the order in which the sender applies it; at most one works on bytes, and stands last */
export function createPipeline(list: readonly Stage[]): Pipeline {
  const stages = list.filter(isArrayStage);
  const bytes = list.map(({ processor }) => processor).find(isByteProcessor);
  const changing = stages.find(({ processor }) => processor.ofChanges === true);
  const signature = JSON.stringify(list.map(({ name, options }) => [name, options]));

  /** The numbers of the global weights that an array is to be compared with; undefined where it is sent as it is. */
  const referenceOf = (array: NamedArray | LayoutEntry, reference: Weights | undefined) => {
    if (changing === undefined || !touches(changing, array)) return undefined;
    const found = reference?.get(array.name);
    if (found?.dtype === "float32" && found.shape.join() === array.shape.join()) return found.data;
    throw new ElenchusError(
      "WEIGHTS_INVALID",
      `The processor "${changing.name}" sends changes of "${array.name}", but the global weights have no such array.`,
    );
  };
  const withReference = (array: LayoutEntry, data: WeightData, reference: Weights | undefined) => {
    const from = referenceOf(array, reference);
    return from === undefined ? data : sum(from, data, 1);
  };

  async function* decode(source: ByteSource, options: DecodeOptions): AsyncGenerator<NamedArray> {
    const outer = new ByteReader(source.read());
    try {
      const layout = await readEnvelope(outer, signature);
      checkLayout(layout, options);
      const total = encodedBytes(layout, stages);
      const inner = bytes === undefined ? outer : new ByteReader(expandBlocks(outer, bytes, total));
      for (const array of layout.arrays) {
        const data = await decodeArray(array, stages, async ({ dtype, shape }) => {
          const size = elements(shape) * ELEMENT_BYTES[dtype];
          return asNumbers((await inner.take(padded(size))).subarray(0, size), dtype);
        });
        yield { ...array, data: withReference(array, data, options.reference) };
      }
      await outer.end();
    } finally {
      await outer.close();
    }
  }

  return {
    processes: list.length > 0,
    signature,
    ofChanges: changing !== undefined,
    keepsError: stages.some(({ processor }) => processor.keepsError === true),
    lossy: stages.length > 0,

    async encode(weights, { randomOf, reference, lost = new Map() }) {
      if (list.length === 0) {
        return {
          parts: encodeWeights(weights),
          received: async () => weights,
          lost: async () => new Map(),
        };
      }
      const layout = layoutOf(weights);
      const wanted = layout.arrays.map((array): NamedArray => {
        const { data } = weights.get(array.name)!;
        const from = referenceOf(array, reference);
        if (from === undefined) return { ...array, data };
        const change = sum(data, from, -1);
        const before = lost.get(array.name);
        return { ...array, data: before === undefined ? change : sum(change, before.data, 1) };
      });
      const encoded = encodeArrays(wanted, stages, randomOf);
      const parts = dataParts(encoded);
      const decoded = async () => {
        const numbers = encoded.values();
        const all: WeightData[] = [];
        for (const array of layout.arrays) {
          all.push(await decodeArray(array, stages, () => numbers.next().value!));
        }
        return all;
      };
      return {
        parts: [
          ...encodeEnvelope(signature, layout),
          ...(bytes === undefined ? parts : await compressBlocks(parts, bytes)),
        ],
        async received() {
          const all = await decoded();
          const arrays = layout.arrays.map((array, place) => [
            array.name,
            weightArray({ ...array, data: withReference(array, all[place]!, reference) }),
          ]);
          return new Map(arrays as [string, WeightArray][]);
        },
        async lost() {
          const all = await decoded();
          const entries = wanted.flatMap((array, place): [string, WeightArray][] => {
            if (changing === undefined || !touches(changing, array)) return [];
            return [[array.name, weightArray({ ...array, data: sum(array.data, all[place]!, -1) })]];
          });
          return new Map(entries);
        },
      };
    },

    decode,
    async decodeWeights(source, options) {
      if (list.length === 0) {
        await requireUnprocessed(source);
        return readWeights(source);
      }
      const weights = new Map<string, WeightArray>();
      for await (const array of decode(source, options)) weights.set(array.name, weightArray(array));
      return weights;
    },
  };
}

function isArrayStage(stage: Stage): stage is Stage & ArrayStage {
  return stage.processor.kind === "arrays";
}

function isByteProcessor(processor: Processor): processor is ByteProcessor {
  return processor.kind === "bytes";
}

/** @throws WEIGHTS_INVALID, PAYLOAD_INVALID */
function checkLayout(found: WeightLayout, { layout, limit = Number.POSITIVE_INFINITY }: DecodeOptions): void {
  if (layout !== undefined) requireSameLayout(found, layout);
  if (found.dataBytes <= limit) return;
  throw new ElenchusError(
    "PAYLOAD_INVALID",
    `The processed payload stands for ${found.dataBytes} bytes; at most ${limit} are taken (server.max_payload_bytes).`,
  );
}

function encodedBytes(layout: WeightLayout, stages: readonly ArrayStage[]): number {
  const parts = layout.arrays.flatMap((array) => encodedAs(array, stages));
  return parts.reduce((total, { dtype, shape }) => total + padded(elements(shape) * ELEMENT_BYTES[dtype]), 0);
}

/** The bytes of arrays, each padded to a multiple of 8. */
function dataParts(arrays: readonly WeightData[]): Uint8Array[] {
  return arrays.flatMap(({ buffer, byteOffset, byteLength }) => [
    new Uint8Array(buffer, byteOffset, byteLength),
    new Uint8Array(padded(byteLength) - byteLength),
  ]);
}

function asNumbers(bytes: Uint8Array, dtype: WeightArray["dtype"]): WeightData {
  if (dtype === "uint8") return bytes;
  const { buffer, byteOffset, byteLength } = bytes;
  if (dtype === "float32") return new Float32Array(buffer, byteOffset, byteLength / 4);
  return new Int32Array(buffer, byteOffset, byteLength / 4);
}

function weightArray({ dtype, shape, data }: NamedArray): WeightArray {
  return { dtype, shape, data };
}

/** `one + sign * other`, in single precision. */
function sum(one: WeightData, other: WeightData, sign: 1 | -1): Float32Array {
  return (one as Float32Array).map((value, index) => value + sign * other[index]!);
}
