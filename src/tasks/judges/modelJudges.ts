import { type Logger, silentLogger } from "../../base/index.js";
import {
  AnswerFile,
  EndpointLanguageModel,
  type OpenedModel,
  openModel,
  parseModelReference,
} from "../../language/index.js";
import type { JudgeModels } from "../../scoring/index.js";
import { judgeOf } from "./judgeOf.js";
import { keptJudge } from "./keptJudge.js";

/** Opens the model of a reference. @throws CONFIG_INVALID for what is no reference; why it cannot be opened */
export type OpenModel = (
  reference: unknown,
  signal: AbortSignal | undefined,
) => Promise<Pick<OpenedModel, "model"> & Partial<Pick<OpenedModel, "release">>>;

/** How judges are opened. */
export interface ModelJudgesOptions {
  /** Default: whatever `parseModelReference` reads, by `openModel`. */
  readonly open?: OpenModel;
  /** Where answers are kept from scoring to scoring. Default: nowhere. */
  readonly folder?: string | undefined;
  readonly logger?: Logger;
}

/** Judges by reference, their answers kept in a folder if there is one. */
export function modelJudges(options: ModelJudgesOptions = {}): JudgeModels {
  const { folder, logger = silentLogger } = options;
  const { open = (reference) => openModel(parseModelReference(reference), { logger }) } = options;
  return {
    async open(reference, signal) {
      const { model, release } = await open(reference, signal);
      const judge = judgeOf(model);
      // Weights in a folder may be others next time, under the same name.
      const lasting = folder !== undefined && model instanceof EndpointLanguageModel;
      const file = lasting ? await AnswerFile.open({ folder, scope: ["judge", reference], logger }) : null;
      const kept = file === null ? judge : keptJudge(judge, file);
      return release === undefined ? kept : { ...kept, release };
    },
  };
}
