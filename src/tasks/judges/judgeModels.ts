import { type Logger, silentLogger } from "../../base/index.js";
import {
  AnswerFile,
  type ModelReference,
  type OpenedModel,
  parseModelReference,
} from "../../language/index.js";
import type { JudgeModels } from "../../scoring/index.js";
import { judgeOf } from "./judgeOf.js";
import { keptJudge } from "./keptJudge.js";

/** What becomes of a judge's answers. */
export interface JudgeModelsOptions {
  /** Where answers are kept from scoring to scoring. Default: nowhere. */
  readonly folder?: string | undefined;
  readonly logger?: Logger;
}

/**
 * Judges by model reference, for scorers that ask a model.
 * @param open opens what a reference names, perhaps from a cache
 */
export function judgeModels(
  open: (reference: ModelReference) => Promise<OpenedModel>,
  { folder, logger = silentLogger }: JudgeModelsOptions = {},
): JudgeModels {
  return {
    async open(reference) {
      const opened = await open(parseModelReference(reference));
      const judge = judgeOf(opened);
      // Weights in a folder may be others next time, under the same name.
      if (folder === undefined || opened.post === undefined) return judge;
      const file = await AnswerFile.open({ folder, scope: ["judge", reference], logger });
      return file === null ? judge : keptJudge(judge, file);
    },
  };
}
