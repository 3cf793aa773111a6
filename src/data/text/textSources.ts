import type { ZodType } from "zod";
import type { DatasourceFactory } from "../datasourceFactory.js";
import {
  huggingFaceOptions,
  jsonlOptions,
  madeUpChatsOptions,
  speechesOptions,
  textFilesOptions,
} from "./sourceOptions.js";
import { checkText, tokenizerKeys } from "./textKeys.js";

/** The sources of text by name, with their descriptions. Naming one loads none of what reads it. */
export const textSources: readonly [name: string, factory: DatasourceFactory, description: string][] = [
  [
    "speeches",
    ofText(speechesOptions, async (request) => (await import("./speeches.js")).speeches(request)),
    "State of the Union addresses, 1790 to 2021, by speaker or year",
  ],
  [
    "text",
    ofText(textFilesOptions, async (request) => (await import("./textFiles.js")).textFiles(request)),
    "Text files or folders of them",
  ],
  [
    "jsonl",
    ofText(jsonlOptions, async (request) => (await import("./jsonl.js")).jsonl(request)),
    "Tables of texts, answered prompts or conversations: JSON lines, CSV, parquet",
  ],
  [
    "HuggingFace",
    ofText(huggingFaceOptions, async (request) => (await import("./huggingFace.js")).huggingFace(request)),
    "A data set of text from a hub or a folder laid out like one",
  ],
  [
    "nanochat",
    ofText(madeUpChatsOptions, async (request) => (await import("./madeUpChats.js")).madeUpChats(request)),
    "Made-up conversations of five kinds; needs no files",
  ],
];

function ofText(options: ZodType, load: DatasourceFactory): DatasourceFactory {
  const source: DatasourceFactory = (request) => load(request);
  return Object.assign(source, {
    options,
    otherKeys: { trainer: tokenizerKeys },
    tokens: true,
    check: checkText,
  });
}
