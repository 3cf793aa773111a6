import { openAsBlob } from "node:fs";
import { access } from "node:fs/promises";
import { basename } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type DatasetDef, type ServiceClient, seedRoutes } from "../../api/index.js";
import { ElenchusError, messageOf } from "../../base/index.js";
import type { CommonOptions } from "../commonOptions.js";
import type { Output } from "../output.js";
import { addServerOption, type ServerOption, serviceClientOf } from "../serviceClient.js";
import { textTable } from "../table.js";

interface CreateOptions extends ServerOption {
  readonly file?: string;
  readonly url?: string;
  readonly hub?: string;
  readonly config?: string;
  readonly split?: string;
  readonly revision?: string;
  readonly rename: readonly (readonly [string, string])[];
}

/** `elenchus dataset create|get|delete|list`: the data sets of a service. */
export function addDatasetCommand(program: Command, output: Output): void {
  const dataset = program.command("dataset").description("data sets of a service: create, get, delete, list");
  const say = (reply: unknown, text: string) =>
    output.stdout(program.opts<CommonOptions>().json ? `${JSON.stringify(reply)}\n` : `${text}\n`);

  addServerOption(dataset.command("create").description("register a data set").argument("<name>"))
    .option("--file <path>", "upload a file: .csv, .tsv, .jsonl, .json, .parquet or .xlsx")
    .option("--url <address>", "an http(s) or data: address, or a file below the service's data folder")
    .option("--hub <repository>", "a data set of the hub, OWNER/NAME")
    .option("--config <name>", "with --hub: its configuration")
    .option("--split <name>", "with --hub: its split (default train)")
    .option("--revision <name>", "with --hub: branch, tag or commit")
    .addOption(
      new Option("--rename <old=new>", "give a column another name (repeatable)")
        .default([], "none")
        .argParser((text: string, before: (readonly [string, string])[]) => [...before, renaming(text)]),
    )
    .action(async (name: string, own: CreateOptions) => {
      const client = serviceClientOf(own);
      const dataset_def = await definitionOf(name, own, client);
      const reply = await client.call(seedRoutes.createDataset, { body: { dataset_def } });
      say(reply, reply.msg);
    });

  addServerOption(
    dataset.command("get").description("show a data set's definition").argument("<name>"),
  ).action(async (name: string, own: ServerOption) => {
    const query = { dataset_identifier: name };
    const reply = await serviceClientOf(own).call(seedRoutes.getDataset, { query });
    say(reply, JSON.stringify(reply, null, 2));
  });

  addServerOption(dataset.command("delete").description("forget a data set").argument("<name>")).action(
    async (name: string, own: ServerOption) => {
      const body = { dataset_identifier: name };
      const reply = await serviceClientOf(own).call(seedRoutes.deleteDataset, { body });
      say(reply, reply.msg);
    },
  );

  addServerOption(dataset.command("list").description("list all data sets")).action(
    async (own: ServerOption) => {
      const reply = await serviceClientOf(own).call(seedRoutes.listDatasets, {});
      const rows = reply.map((one) => [one.identifier, one.type, sourceOf(one)]);
      say(reply, textTable(["name", "type", "source"], rows));
    },
  );
}

async function definitionOf(name: string, own: CreateOptions, client: ServiceClient): Promise<DatasetDef> {
  const { file, url, hub, config, split, revision, rename } = own;
  if ([file, url, hub].filter((source) => source !== undefined).length !== 1) {
    throw new ElenchusError("USAGE", "Name one source of the data set: --file, --url or --hub.");
  }
  const rename_columns_map = Object.fromEntries(rename);
  if (hub !== undefined) {
    const kwargs = { split: split ?? "train", ...(revision !== undefined && { revision }) };
    const place = { dataset_path: hub, dataset_name: config ?? null };
    return { type: "huggingface", identifier: name, ...place, kwargs, rename_columns_map };
  }
  const address = url ?? `upload:${await uploaded(file!, client)}`;
  return { type: "custom", identifier: name, url: address, rename_columns_map };
}

async function uploaded(path: string, client: ServiceClient): Promise<string> {
  let content: Blob;
  try {
    // Of a file that is not there a blob says only that it cannot be opened.
    await access(path);
    content = await openAsBlob(path);
  } catch (error) {
    throw new ElenchusError("INPUT_UNREADABLE", `${path} cannot be read: ${messageOf(error)}.`, {
      cause: error,
    });
  }
  return (await client.upload({ name: basename(path), content, purpose: "eval" })).id;
}

function renaming(text: string): readonly [string, string] {
  const [, from, to] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (from !== undefined && to !== undefined) return [from, to];
  throw new InvalidArgumentError(`expected OLD=NEW, found ${JSON.stringify(text)}.`);
}

function sourceOf(definition: DatasetDef): string {
  const source = definition.type === "custom" ? definition.url : definition.dataset_path;
  return source.length <= 60 ? source : `${source.slice(0, 57)}...`;
}
