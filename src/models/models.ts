import { createRegistry, ElenchusError, parseOptions } from "../base/index.js";
import type { CatalogEntry, Config } from "../config/index.js";
import type { Model, ModelFactory, ModelRequest } from "./model.js";

/** The models by the name that `trainer.model_type`, else `trainer.model_name`, gives. */
export const models = createRegistry<ModelFactory>("model");

/** Name under which a configuration asks for whatever the user's own code has registered. */
const CUSTOM = "custom";
const CUSTOM_DESCRIPTION = 'Your own: registered from code as "custom"';

/**
 * Builds the model that the configuration names. The compute back end must already be chosen.
 * @throws NAME_UNKNOWN for a name that nobody registered, CONFIG_INVALID for `[parameters.model]`,
 *   DATA_INVALID where the model cannot take the data
 */
export async function createModel(
  trainer: Pick<Config["trainer"], "model_name" | "model_type">,
  request: ModelRequest,
): Promise<Model> {
  const name = trainer.model_type ?? trainer.model_name;
  if (name === CUSTOM && !models.has(CUSTOM)) {
    throw new ElenchusError(
      "NAME_UNKNOWN",
      `trainer.model_name = "custom", but no module registered one. Call models.register("custom", (request) => model) in a module and load it with --import or \`imports\`.`,
    );
  }
  const factory = models.lookup(name);
  if (!factory.options) return factory(request);
  const parameters = parseOptions(factory.options, request.parameters, `[parameters.model] of ${name}`);
  return factory({ ...request, parameters: parameters as ModelRequest["parameters"] });
}

/** The registered models for the configuration's catalog, `custom` always among them. */
export function modelCatalog(): CatalogEntry[] {
  const entries = models.list().map((entry) => {
    const { options } = models.lookup(entry.name);
    return { ...entry, ...(options && { options }) };
  });
  if (!models.has(CUSTOM)) entries.push({ name: CUSTOM, description: CUSTOM_DESCRIPTION });
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}
