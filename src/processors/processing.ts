import type { Config } from "../config/index.js";
import { createPipeline, type Pipeline, type Stage } from "./pipeline.js";
import { payloadProcessors } from "./registry.js";

/** What is done with payloads on their way. */
export interface Processing {
  /** Of the global weights: `server.outbound_processors`, undone by clients. */
  readonly down: Pipeline;
  /** Of updates: `clients.outbound_processors`, undone by the server. */
  readonly up: Pipeline;
}

/** The processors that a configuration names. */
export function processingOf({ server, clients, parameters }: Config): Processing {
  const pipeline = (names: readonly string[]) =>
    createPipeline(names.map((name) => stageOf(name, parameters.processors)));
  return { down: pipeline(server.outbound_processors), up: pipeline(clients.outbound_processors) };
}

/** @param given `[parameters.processors]`, by the name that the user wrote or by our own */
function stageOf(written: string, given: Config["parameters"]["processors"]): Stage {
  const name = ownName(written);
  const factory = payloadProcessors.lookup(name);
  const options = given[written] ?? given[name] ?? {};
  const parsed = factory.options?.safeParse(options);
  const resolved = parsed?.success ? (parsed.data as Stage["options"]) : options;
  return { name, options: resolved, processor: factory(options) };
}

/** The name under which a processor is registered that has another one in Plato. */
function ownName(name: string): string {
  const isPlato = (own: string) => payloadProcessors.lookup(own).plato?.outbound === name;
  return payloadProcessors.has(name) ? name : (payloadProcessors.registeredNames().find(isPlato) ?? name);
}
