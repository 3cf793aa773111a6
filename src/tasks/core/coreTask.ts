import { z } from "zod";
import { PythonRandom, pythonStrip } from "../../base/index.js";
import type { TableRow } from "../../data/index.js";
import { readRow, texts, wholeNumber } from "../data/readRow.js";
import type { TaskDocument } from "../document.js";
import { tooFewExamples } from "../harness/harnessExamples.js";
import { limitOf } from "../harness/harnessTask.js";
import type { SpanForm } from "../request.js";
import type { Task } from "../task.js";
import { spanAccuracy } from "./spanAccuracy.js";

/** A task of CORE, as a bundle's `core.yaml` lists it. */
export interface CoreSpec {
  readonly label: string;
  readonly form: SpanForm;
  readonly shots: number;
  /** Between question and answer. Default a blank. */
  readonly delimiter?: string;
  /** The file below the bundle's `eval_data`. */
  readonly file: string;
}

/**
 * A task of CORE (Li et al. 2024) as nanochat asks it: rows are shuffled with seed 1337 before a limit cuts, and the
 * examples of document i are drawn with seed 1234 + i from the rows that are left.
 */
export function coreTask(spec: CoreSpec): Task {
  const { label, form, shots, file } = spec;
  return {
    name: `core:${label}`,
    dialect: "core",
    description: `CORE, ${label}: ${SAID[form]}, ${shots} examples`,
    version: "1",
    data: { repositories: [], config: undefined, evaluated: ["eval"], pool: ["eval"], bundleFile: file },
    shots,
    metrics: [spanAccuracy("accuracy")],
    scoring: { bos: "never", specialTokens: "text" },
    *documents({ evaluated }, options) {
      const placed = evaluated.map((row, doc) => ({ row, doc }));
      const docs = new PythonRandom(1337).shuffle(placed);
      const cut = docs.slice(0, limitOf(options.limit === 0 ? undefined : options.limit, docs.length));
      const others = cut.length - 1;
      if (options.shots > 0 && options.shots > others) throw tooFewExamples(options.shots, others);
      const places = Array.from({ length: Math.max(0, others) }, (_, other) => other);
      for (const [place, { row, doc }] of cut.entries()) {
        const random = new PythonRandom((options.seed ?? 1234) + place);
        const drawn = options.shots === 0 ? [] : random.sample(places, options.shots);
        // Drawn from all others: places from the document's own on are those one further.
        const examples = drawn.map((other) => cut[other < place ? other : other + 1]!);
        yield coreDocument(spec, row, doc, examples);
      }
    },
  };
}

const SAID: Readonly<Record<SpanForm, string>> = {
  multiple_choice: "the likeliest choice",
  schema: "the context that makes the end likeliest",
  language_modeling: "the likeliest words are the right ones",
};

interface Placed {
  readonly row: TableRow;
  readonly doc: number;
}

function coreDocument(spec: CoreSpec, row: TableRow, doc: number, examples: readonly Placed[]): TaskDocument {
  const { form, delimiter = " ", label } = spec;
  const read = READERS[form];
  const shown = examples.map((one) => {
    const example = read(one.row, { task: label, split: "examples", row: one.doc }, delimiter);
    return `${example.shown}\n\n`;
  });
  const asked = read(row, { task: label, split: "evaluated", row: doc }, delimiter);
  const before = shown.join("");
  // A blank that ends a prompt would be a token of its own; the words behind it bring theirs.
  const prompts =
    form === "language_modeling"
      ? [pythonStrip(before + asked.texts[0]!), before + asked.texts[1]!]
      : asked.texts.map((text) => before + text);
  return {
    doc,
    row,
    requests: [{ kind: "span", form, prompts }],
    gold: asked.gold,
    choices: asked.choices,
    fewshot: examples.map((one) => one.doc),
  };
}

/** A row as it is asked, and as it stands as an example. */
interface CoreQuestion {
  readonly texts: readonly string[];
  readonly shown: string;
  readonly gold: TaskDocument["gold"];
  readonly choices: readonly string[];
}

type Reader = (row: TableRow, place: Parameters<typeof readRow>[2], delimiter: string) => CoreQuestion;

const READERS: Readonly<Record<SpanForm, Reader>> = {
  multiple_choice(row, place, delimiter) {
    const { query, choices, gold } = readRow(choiceRow, row, place);
    const all = choices.map((choice) => query + delimiter + choice);
    return { texts: all, shown: all.at(gold) ?? "", gold, choices };
  },
  schema(row, place, delimiter) {
    const { context_options, continuation, gold } = readRow(schemaRow, row, place);
    const all = context_options.map((context) => context + delimiter + continuation);
    return { texts: all, shown: all.at(gold) ?? "", gold, choices: context_options };
  },
  language_modeling(row, place, delimiter) {
    const { context, continuation } = readRow(languageRow, row, place);
    const prompt = pythonStrip(context) + delimiter;
    const whole = prompt + continuation;
    return { texts: [prompt, whole], shown: whole, gold: continuation, choices: [] };
  },
};

const choiceRow = z.object({ query: z.string(), choices: texts, gold: wholeNumber });
const schemaRow = z.object({ context_options: texts, continuation: z.string(), gold: wholeNumber });
const languageRow = z.object({ context: z.string(), continuation: z.string() });
