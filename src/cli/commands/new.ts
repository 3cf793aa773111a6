import { stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { ElenchusError, makeFolder, messageOf } from "../../base/index.js";
import { datasources } from "../../data/index.js";
import { registry } from "../../evaluators/index.js";
import { taskGroups, tasks } from "../../tasks/index.js";
import type { Output } from "../output.js";
import { datasourceTemplate } from "../templates/datasourceTemplate.js";
import { evaluatorTemplate } from "../templates/evaluatorTemplate.js";
import { taskTemplate } from "../templates/taskTemplate.js";
import type { TemplateFile } from "../templates/templateFile.js";

const TEMPLATES: Readonly<Record<string, (name: string) => TemplateFile[]>> = {
  evaluator: evaluatorTemplate,
  datasource: datasourceTemplate,
  task: taskTemplate,
};

const KINDS = Object.keys(TEMPLATES).join(" or ");

/** The page of the package that is the guide. */
const GUIDES: Readonly<Record<string, string>> = {
  evaluator: "evaluators",
  datasource: "data",
  task: "tasks",
};

/** `elenchus new KIND NAME`: a working file, its test and its page. */
export function addNewCommand(program: Command, output: Output): void {
  program
    .command("new")
    .description("write a working file, its test and its page to start from")
    .argument("<kind>", `what to write: ${KINDS}`, knownKind)
    .argument("<name>", "its name in snake_case, for example token_count", snakeCase)
    .action(async (kind: string, name: string) => {
      requireFree(kind, name);
      const files = TEMPLATES[kind]!(name);
      await writeNew(files);
      if (program.opts().json === true) {
        output.stdout(`${JSON.stringify({ files: files.map((file) => file.path) })}\n`);
        return;
      }
      for (const file of files) output.stdout(`wrote ${file.path}\n`);
      output.stdout(
        `\n${files[2]!.path} says how to use and test it; docs/${GUIDES[kind]}.md in the package is the guide.\n`,
      );
    });
}

/** A name that is taken could never be registered. */
function requireFree(kind: string, name: string): void {
  const taken = {
    evaluator: () => registry.has(name),
    datasource: () => datasources.has(name) || name === "custom",
    // A plain name is one of lighteval's too.
    task: () => tasks.has(name) || tasks.has(`lighteval:${name}`) || taskGroups.has(`lighteval:${name}`),
  }[kind];
  if (!taken?.()) return;
  throw new ElenchusError(
    "NAME_TAKEN",
    `A ${kind} named "${name}" ships with the product. Choose another name; \`elenchus list ${kind}s\` shows those that are taken.`,
  );
}

/** Writes all files or none: an existing one is never overwritten. */
async function writeNew(files: readonly TemplateFile[]): Promise<void> {
  for (const { path } of files) {
    if ((await stat(path).catch(() => null)) === null) continue;
    throw new ElenchusError(
      "USAGE",
      `${path} exists already and is not overwritten. Choose another name, or move the file away.`,
    );
  }
  try {
    for (const file of files) {
      await makeFolder(dirname(file.path));
      await writeFile(file.path, file.content, { flag: "wx" });
    }
  } catch (error) {
    throw new ElenchusError(
      "PATH_UNWRITABLE",
      `The files cannot be written into this folder: ${messageOf(error)}.`,
      { cause: error },
    );
  }
}

function knownKind(value: string): string {
  if (Object.hasOwn(TEMPLATES, value)) return value;
  throw new InvalidArgumentError(`expected ${KINDS}.`);
}

function snakeCase(value: string): string {
  if (/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(value)) return value;
  throw new InvalidArgumentError(
    "expected snake_case: small letters, digits and single underscores, a letter first.",
  );
}
