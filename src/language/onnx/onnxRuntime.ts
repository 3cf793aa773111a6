/** What is used of `onnxruntime-node`; declared here, since the package may be absent. */
export interface OnnxRuntime {
  readonly Tensor: new (
    type: "float32" | "int32" | "int64",
    data: Float32Array | Int32Array | BigInt64Array,
    dimensions: readonly number[],
  ) => OnnxTensor;
  readonly InferenceSession: {
    create(model: Uint8Array, options: OnnxSessionOptions): Promise<OnnxSession>;
  };
  readonly env: { readonly versions: Readonly<Record<string, string | undefined>> };
}

export interface OnnxTensor {
  readonly data: unknown;
  readonly dims: readonly number[];
  dispose(): void;
}

export interface OnnxSession {
  /** @param fetches names of the outputs; the package would take tensors to write to, and copies all the same */
  run(
    feeds: Readonly<Record<string, OnnxTensor>>,
    fetches: Readonly<Record<string, null>>,
  ): Promise<Readonly<Record<string, OnnxTensor>>>;
  release(): Promise<void>;
}

export interface OnnxSessionOptions {
  readonly intraOpNumThreads: number;
  readonly interOpNumThreads: number;
  readonly executionMode: "sequential";
  readonly graphOptimizationLevel: "all";
  readonly enableMemPattern: boolean;
  readonly logSeverityLevel: 3;
  readonly extra: Readonly<Record<string, unknown>>;
}
