import { fileURLToPath } from "node:url";
import type { Task } from "../task.js";
import { readSources, type Sources } from "./sourcesFile.js";

/** A `sources.json` beside the first rows of benchmarks whose licences allow it; `LICENSES.md` there says which. */
export const EXCERPT_SOURCES = fileURLToPath(
  new URL("../../../assets/excerpts/sources.json", import.meta.url),
);

/** Data sets of which the package has an excerpt, by their first names. */
const REPOSITORIES = new Set([
  "EleutherAI/lambada_openai",
  "EleutherAI/wikitext_document_level",
  "Rowan/hellaswag",
  "allenai/ai2_arc",
  "allenai/winogrande",
  "aps/super_glue",
  "baber/piqa",
  "cais/mmlu",
  "cimec/lambada",
  "gimmaru/piqa",
  "google/IFEval",
  "lighteval/boolq_helm",
  "lighteval/mmlu",
  "openai/gsm8k",
  "rajpurkar/squad_v2",
  "truthfulqa/truthful_qa",
  "ybisk/piqa",
]);

/** Where the package has rows of a task; undefined where it has none. */
export async function excerptOf(task: Task): Promise<Sources | undefined> {
  const { repositories, bundleFile, evaluated } = task.data;
  // A user's task may be called like one of these, and has other rows.
  const known = bundleFile === undefined ? REPOSITORIES.has(repositories[0] ?? "") : task.dialect === "core";
  if (!known) return undefined;
  const sources = await readSources(EXCERPT_SOURCES);
  return evaluated.some((split) => sources.find(task, split)) ? sources : undefined;
}
