import { ElenchusError, parseOptions, sharedRegistry } from "../base/index.js";
import type { CatalogEntry, Config, EntryFault } from "../config/index.js";
import { adaptModel } from "./adaptModel.js";
import { causalFactories } from "./causalFactories.js";
import { byName, IMAGE_FAMILIES, membersOf, requireMember } from "./imageFamilies.js";
import type { Model, ModelCheckRequest, ModelFactory, ModelFacts, ModelRequest } from "./model.js";
import { generalMultilayerParameters, lenet5Parameters, multilayerParameters } from "./modelParameters.js";

/** The models by the name that `trainer.model_type`, else `trainer.model_name`, gives. */
export const models = sharedRegistry<ModelFactory>("model", (registry) => {
  // Building a model loads TensorFlow.js; naming one must not, so that the server can.
  const lenet5: ModelFactory = async (request) => new (await import("./lenet5.js")).Lenet5(request);
  const multilayer: ModelFactory = async (request) =>
    new (await import("./multilayer.js")).Multilayer(request);
  registry.register("lenet5", Object.assign(lenet5, { options: lenet5Parameters, tokens: false }), {
    description: "LeNet-5: two convolutions and three dense layers, for images from 12x12 up",
  });
  registry.register(
    "multilayer",
    Object.assign(multilayer, { options: multilayerParameters, tokens: false }),
    {
      description: "Multilayer perceptron; parameters.model.hidden_sizes gives its layers",
    },
  );
  const general: ModelFactory = async (request) =>
    new (await import("./generalMultilayer.js")).GeneralMultilayer(request);
  registry.register(
    "general_multilayer",
    Object.assign(general, { options: generalMultilayerParameters, tokens: false }),
    {
      description: "Multilayer perceptron of any form: batch normalisation, activation and dropout by layer",
    },
  );
  for (const family of IMAGE_FAMILIES) {
    const { title, images, options } = family;
    const register = (name: string, factory: ModelFactory, what: string) =>
      registry.register(name, Object.assign(factory, { options, tokens: false }), {
        description: `${what} for ${images}; parameters.model.width makes it small`,
      });
    for (const depth of family.depths)
      register(`${family.name}_${depth}`, family.of(depth), `${title}-${depth}`);
    register(
      family.name,
      byName(family),
      `As trainer.model_type: the ${title} that trainer.model_name names,`,
    );
  }
  for (const [name, factory, options] of causalFactories()) registry.register(name, factory, options);
});

/** Name under which a configuration asks for whatever the user's own code has registered. */
const CUSTOM = "custom";
const CUSTOM_DESCRIPTION = 'Your own: registered from code as "custom"';

/** The keys that name a model. */
type NamedModel = Pick<Config["trainer"], "model_name" | "model_type" | "model_revision" | "trainable">;

/**
 * Builds the model that the configuration names, with the adapters of `request.lora`, and freezes what
 * `trainer.trainable` leaves out. The compute back end must already be chosen.
 * @throws NAME_UNKNOWN for a name that nobody registered, CONFIG_INVALID for `[parameters.model]`,
 *   DATA_INVALID where the model cannot take the data; errors of `adaptModel`
 */
export async function createModel(trainer: NamedModel, request: ModelRequest): Promise<Model> {
  const { lora, random } = request;
  return adaptModel(await buildModel(trainer, request), { lora, trainable: trainer.trainable, random });
}

function buildModel(trainer: NamedModel, request: ModelRequest): Promise<Model> | Model {
  const name = trainer.model_type ?? trainer.model_name;
  if (name === CUSTOM && !models.has(CUSTOM)) {
    throw new ElenchusError(
      "NAME_UNKNOWN",
      `trainer.model_name = "custom", but no module registered one. Call models.register("custom", (request) => model) in a module and load it with --import or \`imports\`.`,
    );
  }
  const factory = models.lookup(name);
  return factory(completed(factory, trainer, request));
}

/**
 * Looks for what would keep `createModel` from building a model, without TensorFlow.js and without fetching weights.
 * @returns what is known of the model by then; undefined where that is nothing
 * @throws what building would end with; `details.path` is the key at fault, where one is
 */
export async function checkModel(
  trainer: NamedModel,
  request: ModelCheckRequest,
): Promise<ModelFacts | undefined> {
  const name = trainer.model_type ?? trainer.model_name;
  const factory = models.lookup(name);
  const { trainable } = trainer;
  const facts = await factory.check?.(completed(factory, trainer, { ...request, trainable }));
  if (trainable !== undefined && request.mayBuild && WITHOUT_ADAPTERS.includes(name)) {
    const { buildToLook } = await import("./buildToLook.js");
    await buildToLook((random) => createModel(trainer, { ...request, random }));
  }
  return facts ?? undefined;
}

/** The request with the model's name, and its options parsed where it declares what they are. */
function completed<R extends ModelCheckRequest>(
  { options }: ModelFactory,
  { model_name, model_type, model_revision }: NamedModel,
  request: R,
): R {
  const named = { ...request, modelName: model_name, modelRevision: model_revision };
  if (!options) return named;
  const where = `[parameters.model] of ${model_type ?? model_name}`;
  const parameters = parseOptions(options, request.parameters, where);
  return { ...named, parameters: parameters as ModelRequest["parameters"] };
}

/** Built-in models that are no language models. */
const WITHOUT_ADAPTERS = [
  ...["lenet5", "multilayer", "general_multilayer"],
  ...IMAGE_FAMILIES.flatMap((family) => [family.name, ...membersOf(family)]),
];

function refuseAdapters({ parameters }: Config): EntryFault[] {
  if (parameters.lora === undefined) return [];
  return [{ path: ["parameters", "lora"], expected: "none: only language models take adapters" }];
}

/** The registered models for the configuration's catalog, `custom` always among them. */
export function modelCatalog(): CatalogEntry[] {
  const entries = models.list().map((entry) => {
    const { options, tokens } = models.lookup(entry.name);
    const own = { ...entry, ...(options && { options }), ...(tokens !== undefined && { tokens }) };
    if (!WITHOUT_ADAPTERS.includes(entry.name)) return own;
    const family = IMAGE_FAMILIES.find(({ name }) => name === entry.name);
    const check = (config: Config) => [
      ...refuseAdapters(config),
      ...(family === undefined ? [] : requireMember(family, config)),
    ];
    return { ...own, check };
  });
  if (!models.has(CUSTOM)) entries.push({ name: CUSTOM, description: CUSTOM_DESCRIPTION });
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}
