import type { ZodType } from "zod";
import type { Random } from "../base/index.js";
import type { ArrayDescription, WeightData } from "../weights/index.js";

/** An array with its name. */
export interface NamedArray extends ArrayDescription {
  readonly data: WeightData;
}

/** An array that stands for another one, or for a part of it. */
export interface Part extends ArrayDescription {
  /** True when later processors must leave it as it is: they would destroy what it says of others. Default false. */
  readonly fixed?: boolean;
}

/** Writes arrays of single precision in another form, whose size follows from the array's description alone. */
export interface ArrayProcessor {
  readonly kind: "arrays";
  /** Works on how an update differs from the global weights, not on weights. Default false. */
  readonly ofChanges?: boolean;
  /** What is lost is kept with the logical client and added to its next update. Default false. */
  readonly keepsError?: boolean;
  /** Axes that an array of the model must have to be processed: small ones are not worth what they lose. Default 1. */
  readonly leastAxes?: number;
  /** The arrays that take the place of one. Absent: it keeps its form, and there is nothing to undo. */
  parts?(array: ArrayDescription): readonly Part[];
  /**
   * @param random draws of its own for every processor, logical client and round
   * @returns for each array what stands for it, as `parts` describes it
   */
  encode(arrays: readonly NamedArray[], random: Random): readonly (readonly WeightData[])[];
  /**
   * The numbers of an array again. Everything about the parts but their numbers is as `parts` says.
   * @throws PAYLOAD_INVALID for numbers that `encode` does not write
   */
  decode?(array: ArrayDescription, parts: readonly WeightData[]): WeightData;
}

/** Writes bytes in fewer ones, without loss. */
export interface ByteProcessor {
  readonly kind: "bytes";
  /** @param block at most 1 MiB */
  compress(block: Uint8Array): Promise<Uint8Array>;
  /**
   * @param bytes exactly how many must come out; memory for no more is ever set aside
   * @throws PAYLOAD_INVALID
   */
  expand(block: Uint8Array, bytes: number): Promise<Uint8Array>;
}

export type Processor = ArrayProcessor | ByteProcessor;

/** The options of a processor, `[parameters.processors.NAME]`. */
export type ProcessorOptions = Readonly<Record<string, unknown>>;

/** Makes a processor from its options. */
export interface ProcessorFactory {
  (options: ProcessorOptions): Processor;
  /** Schema of its options. */
  readonly options?: ZodType;
  /** True when it makes sense for what clients send alone. Default false. */
  readonly ofUpdates?: boolean;
  /** True when there is nothing to undo, so that it stands in no list of inbound processors. Default false. */
  readonly oneWay?: boolean;
  /** True when it works on bytes: once, and after all that work on arrays. Default false. */
  readonly bytes?: boolean;
  /** Names that Plato has for it. */
  readonly plato?: { readonly outbound: string; readonly inbound?: string };
}
