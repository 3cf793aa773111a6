import type { ZodType } from "zod";
import { expectationOf } from "../base/index.js";
import { REQUIRED_SECTIONS, SECTIONS, type Section } from "./schema/config.js";
import { evaluationSchema } from "./schema/evaluation.js";
import { loraSchema } from "./schema/lora.js";
import { PLATO_KEYS } from "./schema/platoOnly.js";

/** The text of `docs/configuration.md`, made from the schemas that check a configuration. */
export function configurationPage(): string {
  const parts = (names: readonly Section[]) => names.map((name) => sectionPart(name));
  const sections = Object.keys(SECTIONS) as Section[];
  const last = sections.indexOf("results");
  return `${[INTRODUCTION, ...parts(sections.slice(0, last)), EVALUATION, ...parts(sections.slice(last)), FILE_RULES, FAULTS, DIFFERENCES, toCome()].join("\n\n")}\n`;
}

const INTRODUCTION = `# Configuration

<!-- Made by scripts/writeConfigurationPage.ts from the schemas in src/config/schema. Edit those. -->

A run is described by one TOML file in the sections of Plato. \`elenchus check FILE\` reads it, reports everything that is wrong with it at once, and prints it with every default filled in; \`elenchus schema\` prints its JSON Schema for editors. \`elenchus list KIND\` shows the names that are registered.

The sections ${REQUIRED_SECTIONS.map((name) => `\`[${name}]\``).join(", ")} are required, all others may be left out. "Required" in a table below means that the key has no default; "–" that it is absent unless given.`;

function sectionPart(section: Section): string {
  const part = `## [${section}]\n\n${fieldTable(SECTIONS[section].shape)}`;
  return section === "parameters" ? `${part}\n\n${LORA}` : part;
}

const LORA = `### [parameters.lora]

Keys of peft's \`LoraConfig\`, with its defaults. A field of it that is not here is not supported.

${fieldTable(loraSchema.shape)}`;

const EVALUATION = `## [evaluation]

One table, or several as \`[[evaluation]]\`. Every evaluator understands these keys; all others are its own options, checked where the evaluator declares them and passed on untouched where it does not.

${fieldTable(evaluationSchema.shape)}

\`name\` must be unique and not empty after lower-casing it and turning every run of characters outside a-z, 0-9 into \`_\`. \`primary_metric\` and \`target\` are checked before round 1 against the metrics that the evaluator declares. \`[evaluation]\` needs \`server.do_test = true\`.`;

const FILE_RULES = `## Included files

\`include = "base.toml"\`, or a list of files, may stand in any table. Names are relative to the file that includes them. Tables merge deeply, lists are concatenated (included items first), and elsewhere the including file wins; of several files a later one wins over an earlier. A circular or missing file is an error.

\`{ null = true }\` stands for none: the key is taken as not given, which undoes an included value. A list of \`{ value = x }\` tables stands for a list of mixed types.

## From the command line

${table(
  ["Option", "Effect"],
  [
    [
      "`--set section.key=value`",
      "sets a key; the value is TOML, else a string. In a list of tables the place counts from 0: `--set evaluation.0.limit=5`. Later ones win, and all win over `--seed` and `--base`",
    ],
    ["`--seed N`", "sets every `random_seed`"],
    ["`--base PATH`", "sets `general.base_path`"],
    ["`--lenient`", "turns unknown and not yet supported keys into warnings and drops them"],
  ],
)}`;

const FAULTS = `## What is checked

Unknown sections and keys, types and ranges, and the names and options of everything registered; beyond single keys:

- \`clients.per_round\` is at most \`clients.total_clients\`, \`server.minimum_clients_aggregated\` at most \`clients.per_round\`;
- a chunk fits into a payload, and a payload into \`server.max_buffered_bytes\`;
- the data can fill the partitions and the test set;
- what one end does with payloads the other undoes, in an order that is possible ([processors](protocol.md#processors));
- something produces each column in \`results.types\`;
- \`general.base_path\`, \`server.checkpoint_path\` and \`results.result_path\` can be written.

Numbers must be finite and whole ones within ±(2^53 - 1); dates have no meaning here.`;

const DIFFERENCES = `## Differences from Plato

Keys, defaults and meanings are Plato's, but for these:

- every \`random_seed\` is 1 unless given, and seeds cover everything that is drawn; \`clients.random_seed\` seeds simulated speeds alone;
- payloads travel over the socket, and \`clients.comm_simulation\` is accepted without effect;
- \`server\` never launches clients; \`run\` launches the smaller of \`clients.per_round\` and \`trainer.max_concurrency\` unless \`server.disable_clients\` is true;
- the first round starts when so many are connected, or at \`server.connect_deadline\` with the quorum;
- a round closes when every member has reported or been given up, else at \`server.round_deadline\`; fewer than \`server.minimum_clients_aggregated\` updates then end the run;
- a client that fails is replaced by an idle one or left out, and stops the run only with \`general.debug = true\`;
- the server tests in a worker process; without \`trainer.max_concurrency\` a client trains in its own;
- \`server\` and \`client\` need \`server.token\`, which \`run\` makes itself.

Heart beats are as rare as Plato's. A client whose process ends is noticed at once, as its connection closes; one whose machine vanishes is waited for until \`server.round_deadline\`. Lower \`server.ping_interval\` and \`server.ping_timeout\` where that is too long, but not below the longest time for which training may hold up a client's thread.`;

function fieldTable(fields: Readonly<Record<string, ZodType>>): string {
  const rows = Object.entries(fields).map(([key, field]) => {
    const { description = "" } = field.meta?.() ?? {};
    return [`\`${key}\``, expectationOf(field), defaultOf(field), description];
  });
  return table(["Key", "Value", "Default", "Meaning"], rows);
}

function defaultOf(field: ZodType): string {
  const parsed = field.safeParse(undefined);
  if (!parsed.success) return "required";
  return parsed.data === undefined ? "–" : `\`${JSON.stringify(parsed.data)}\``;
}

function toCome(): string {
  const keys = Object.entries(PLATO_KEYS).flatMap(([section, known]) =>
    Object.entries(known).map(([key, meaning]) => [`\`${section}.${key}\``, meaning]),
  );
  return `## Known but not supported yet

Plato's keys that Elenchus recognises and does not support yet. Using one is an error that says so; under \`--lenient\` it is a warning.

${table(["Key", "For"], keys)}`;
}

/** A Markdown table with its columns aligned, as the formatter wants it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[], fill: string) =>
    `| ${widths.map((width, column) => (row[column] ?? "").padEnd(width, fill)).join(" | ")} |`;
  const [first = [], ...others] = cells;
  return [line(first, " "), line([], "-"), ...others.map((row) => line(row, " "))].join("\n");
}
