import { ElenchusError } from "../../base/index.js";
import type { Tokenizer } from "../../tokenizers/index.js";
import type { DictSample, OpenedRows } from "../datasets/baseDataset.js";
import type { PreprocessedSample } from "../samples.js";
import type { EvalTaskDocument } from "./evalTask.js";
import { parseEvalTask } from "./evalTaskNames.js";
import { type EvalTaskSurroundings, evalSource, rowLimitOf } from "./evalTaskSource.js";

/**
 * Looks for what would keep an evaluation from running: rows that are not there, a first row that cannot be asked about,
 * questions that the tokenizer cannot put as turns.
 * @throws as `runEvalTask`
 */
export async function checkEvalTask(
  document: EvalTaskDocument,
  surroundings: Omit<EvalTaskSurroundings, "model">,
): Promise<{ readonly total: number; readonly used: number }> {
  const task = parseEvalTask(document, surroundings.datasets);
  const source = await evalSource(task, surroundings);
  const opened =
    source.kind === "processor"
      ? await source.dataset.open(rowLimitOf(task), surroundings.signal)
      : await source.dataset.open(rowLimitOf(task), surroundings.signal);
  try {
    if (source.kind === "processor") {
      for await (const { sample, index } of (opened as OpenedRows<DictSample>).rows()) {
        requireTemplate(source.processor.preprocessSample(sample, index), surroundings.tokenizer);
        break;
      }
    }
    return { total: opened.total, used: opened.used };
  } finally {
    await opened.close();
  }
}

function requireTemplate(
  { generation_input: input }: PreprocessedSample,
  tokenizer: Tokenizer | undefined,
): void {
  if (tokenizer === undefined || tokenizer.chatTemplate !== undefined || !("messages" in input)) return;
  throw new ElenchusError(
    "CAPABILITY_MISSING",
    'The questions are turns of a chat, and the tokenizer has no chat template. Use the processor "template" with form = "completion", or rows with completion_input.',
  );
}
