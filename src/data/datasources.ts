import { ElenchusError, sharedRegistry } from "../base/index.js";
import type { CatalogEntry, Config } from "../config/index.js";
import type { Datasource } from "./dataset.js";
import type { DatasourceFactory, DatasourceSurroundings } from "./datasourceFactory.js";
import { imageSources } from "./images/imageSources.js";
import { tableSources } from "./tables/tableSources.js";
import { textSources } from "./text/textSources.js";

/** The datasources by the name that `data.datasource` gives. */
export const datasources = sharedRegistry<DatasourceFactory>("datasource", (registry) => {
  const digits: DatasourceFactory = async () => (await import("./digits.js")).loadDigits();
  registry.register(
    "digits",
    Object.assign(digits, { tokens: false, facts: { trainRows: 1437, testRows: 360, classes: 10 } }),
    { description: "1,797 handwritten digits, 28x28, 10 classes; ships with the package" },
  );
  for (const [name, factory, description] of [...imageSources, ...tableSources, ...textSources]) {
    registry.register(name, factory, { description });
  }
});

/** Name under which a configuration asks for whatever the user's own code has registered. */
const CUSTOM = "custom";
const CUSTOM_DESCRIPTION = 'Your own: registered from code as "custom"';

/**
 * The datasource that `data.datasource` names.
 * @param surroundings the other tables of the configuration that a source of text reads, and the hub
 * @throws NAME_UNKNOWN for a name that nobody registered, DATA_INVALID for data that cannot be used
 */
export async function loadDatasource(
  data: Config["data"],
  dataPath: string,
  { trainer, parameters, hub }: DatasourceSurroundings = {},
): Promise<Datasource> {
  const name = data.datasource;
  if (name === CUSTOM && !datasources.has(CUSTOM)) {
    throw new ElenchusError(
      "NAME_UNKNOWN",
      `data.datasource = "custom", but no module registered one. Call datasources.register("custom", (request) => ({ trainset, testset })) in a module and load it with --import or \`imports\`.`,
    );
  }
  const source = await datasources.lookup(name)({
    options: data,
    dataPath,
    ...(trainer && { trainer }),
    ...(parameters && { parameters }),
    ...(hub && { hub }),
  });
  checkAlike(name, source);
  return source;
}

/** The registered datasources for the configuration's catalog, `custom` always among them. */
export function datasourceCatalog(): CatalogEntry[] {
  const entries = datasources.list().map((entry) => {
    const { options, otherKeys, tokens, check, facts } = datasources.lookup(entry.name);
    return {
      ...entry,
      ...(options && { options }),
      ...(otherKeys && { otherKeys }),
      ...(tokens !== undefined && { tokens }),
      ...(check && { check }),
      ...(facts && { facts }),
    };
  });
  if (!datasources.has(CUSTOM)) entries.push({ name: CUSTOM, description: CUSTOM_DESCRIPTION });
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Training and test rows go through one model, so they must have one form. */
function checkAlike(name: string, source: Datasource): void {
  const form = (set: Datasource["trainset"]) =>
    `inputs [${set.inputShape.join(", ")}] of ${set.classes} classes`;
  if (form(source.trainset) !== form(source.testset)) {
    throw new ElenchusError(
      "DATA_INVALID",
      `The datasource "${name}" has training rows with ${form(source.trainset)} and test rows with ${form(source.testset)}; both must be alike.`,
    );
  }
}
