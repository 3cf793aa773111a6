import {
  type CausalGraph,
  causalGraph,
  type GraphEnd,
  type GraphForm,
  headGraph,
  type OnnxNetwork,
} from "../../models/onnx/index.js";
import type { OnnxRuntime, OnnxSession } from "./onnxRuntime.js";

/** A graph that is ready to run. */
export interface ReadyGraph<Graph> {
  readonly graph: Graph;
  readonly session: OnnxSession;
}

/** Sessions of a network's graphs, each made when it is first needed. They hold no weights. */
export class OnnxSessions {
  readonly #runtime: OnnxRuntime;
  readonly #network: OnnxNetwork;
  readonly #shapes: ReadonlyMap<string, readonly number[]>;
  readonly #threads: number;
  readonly #ready = new Map<string, Promise<ReadyGraph<unknown>>>();

  constructor(
    runtime: OnnxRuntime,
    {
      network,
      shapes,
      threads,
    }: { network: OnnxNetwork; shapes: ReadonlyMap<string, readonly number[]>; threads: number },
  ) {
    this.#runtime = runtime;
    this.#network = network;
    this.#shapes = shapes;
    this.#threads = threads;
  }

  of(form: GraphForm, end: GraphEnd): Promise<ReadyGraph<CausalGraph>> {
    return this.#session(`${form} ${end}`, () => causalGraph(this.#network, this.#shapes, { form, end }));
  }

  head(end: GraphEnd): Promise<ReadyGraph<ReturnType<typeof headGraph>>> {
    return this.#session(`head ${end}`, () => headGraph(this.#network, this.#shapes, end));
  }

  async release(): Promise<void> {
    const ready = [...this.#ready.values()];
    this.#ready.clear();
    for (const one of ready) await (await one).session.release();
  }

  #session<Graph extends { readonly bytes: Uint8Array }>(
    name: string,
    build: () => Graph,
  ): Promise<ReadyGraph<Graph>> {
    const known = this.#ready.get(name) as Promise<ReadyGraph<Graph>> | undefined;
    if (known) return known;
    const made = this.#create(build());
    this.#ready.set(name, made);
    return made;
  }

  async #create<Graph extends { readonly bytes: Uint8Array }>(graph: Graph): Promise<ReadyGraph<Graph>> {
    const session = await this.#runtime.InferenceSession.create(graph.bytes, {
      intraOpNumThreads: this.#threads,
      interOpNumThreads: 1,
      executionMode: "sequential",
      graphOptimizationLevel: "all",
      // A plan of memory would be kept for every length of rows there is.
      enableMemPattern: false,
      logSeverityLevel: 3,
      // Threads that wait by spinning take the core from other processes.
      extra: { session: { intra_op: { allow_spinning: "0" } } },
    });
    return { graph, session };
  }
}
