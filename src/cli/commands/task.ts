import { type Command, InvalidArgumentError } from "commander";
import { ElenchusError, loadModules } from "../../base/index.js";
import {
  type ChosenTask,
  createRowLoader,
  type RowLoader,
  resolveTask,
  type ShownRequest,
  showDocuments,
  type TaskDocument,
} from "../../tasks/index.js";
import { type CommonOptions, wholeNumber } from "../commonOptions.js";
import type { Output } from "../output.js";

interface ShowOptions {
  /** Rows of the evaluated split; all of them, or when absent the first document. */
  readonly docs?: "all" | readonly number[];
  readonly shots?: number;
  readonly limit?: number;
  readonly dataDir?: string;
  readonly sources?: string;
}

/** `elenchus task show TASK`: what a model would be asked, to the character, without a model. */
export function addTaskCommand(program: Command, output: Output): void {
  program
    .command("task")
    .description("look at benchmark tasks")
    .command("show")
    .description("show the exact requests of a task's documents (default the first)")
    .argument("<task>", "[dialect:]name[:subset][@version][|shots], for example harness:arc_easy|5")
    .option("--docs <rows>", "rows of the evaluated split, 0,5 for example, or all", documentRows)
    .option("--shots <n>", "examples before each question (default: the task's own)", shotCount)
    .option("--limit <n>", "documents of the run, chosen as its system does; below 1 a share", documentLimit)
    .option("--data-dir <folder>", "where rows are, instead of a hub")
    .option("--sources <file>", "which file holds which split of which task")
    .action(async (name: string, own: ShowOptions) => {
      const options = program.opts<CommonOptions>();
      await loadModules(options.import);
      const { tasks, group } = resolveTask(name, own.shots);
      const loader = await createRowLoader({ dataDir: own.dataDir, sources: own.sources });
      const shown: (ShownRequest & { task?: string })[] = [];
      for (const chosen of tasks) {
        const requests = await requestsOf(chosen, loader, { ...own, seed: options.seed }, output);
        for (const one of requests)
          shown.push(group === undefined ? one : { task: chosen.task.name, ...one });
      }
      output.stdout(options.json ? `${JSON.stringify(shown)}\n` : shown.map(readable).join("\n"));
    });
}

async function requestsOf(
  { task, shots, ignoredShots }: ChosenTask,
  loader: RowLoader,
  { docs, limit, seed }: ShowOptions & { seed: number | undefined },
  output: Output,
): Promise<ShownRequest[]> {
  if (ignoredShots !== undefined) {
    output.stderr(`warn: ${task.name} always has ${shots} examples; ${ignoredShots} are not taken\n`);
  }
  const { rows, missing, excerpt } = await loader.load(task, shots > 0);
  if (excerpt) {
    output.stderr(
      `warn: ${task.name} is shown on an excerpt that comes with the package (partial): neither a folder nor the hub has its rows now\n`,
    );
  }
  if (missing.length > 0) {
    output.stderr(
      `warn: ${task.name} is shown without its split ${missing.join(", ")}, of which there is no file\n`,
    );
  }
  const documents = task.documents(rows, { shots, limit, seed });
  return showDocuments(chosenDocuments(task.name, documents, docs));
}

function chosenDocuments(
  task: string,
  documents: Iterable<TaskDocument>,
  docs: ShowOptions["docs"],
): Iterable<TaskDocument> {
  if (docs === "all") return documents;
  if (docs === undefined) {
    for (const document of documents) return [document];
    return [];
  }
  const wanted = new Set(docs);
  const all = [...documents];
  const found = all.filter(({ doc }) => wanted.delete(doc));
  if (wanted.size === 0) return found;
  throw new ElenchusError(
    "DATA_INVALID",
    `${task} is not asked about row ${[...wanted].join(", ")}: it has ${all.length} documents, the last of them row ${Math.max(-1, ...all.map(({ doc }) => doc))}. Choose other rows with --docs, or a larger --limit.`,
  );
}

/** For people: every prompt as it stands, between lines that say what it is. */
function readable(one: ShownRequest & { task?: string }): string {
  const facts = [
    ...(one.task === undefined ? [] : [one.task]),
    `row ${one.doc}`,
    one.kind,
    `gold ${JSON.stringify(one.gold)}`,
    ...(one.fewshot.length > 0 ? [`examples ${one.fewshot.join(", ")}`] : []),
    ...(one.max_new_tokens === null
      ? []
      : [`at most ${one.max_new_tokens} tokens, stop ${JSON.stringify(one.stop)}`]),
  ];
  const texts = one.prompts.map((prompt) => (typeof prompt === "string" ? prompt : JSON.stringify(prompt)));
  const continuations = one.continuations.map((text) => `  ${JSON.stringify(text)}\n`).join("");
  return `== ${facts.join(" | ")}\n${texts.join("\n--\n")}\n${continuations === "" ? "" : `-- continuations\n${continuations}`}`;
}

function documentRows(value: string): "all" | number[] {
  if (value === "all") return value;
  const rows = value.split(",");
  if (rows.some((row) => !/^\d+$/.test(row))) {
    throw new InvalidArgumentError(`expected all, or rows such as 0,5; found ${JSON.stringify(value)}.`);
  }
  return rows.map(Number);
}

function shotCount(value: string): number {
  const count = wholeNumber(value);
  if (count < 0) throw new InvalidArgumentError(`expected a number from 0, found ${value}.`);
  return count;
}

function documentLimit(value: string): number {
  const limit = Number(value);
  if (limit > 0 && (limit < 1 || Number.isSafeInteger(limit))) return limit;
  throw new InvalidArgumentError(
    `expected a whole number of documents, or a share between 0 and 1; found ${JSON.stringify(value)}.`,
  );
}
