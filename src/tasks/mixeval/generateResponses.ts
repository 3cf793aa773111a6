import type { LanguageModel } from "../../language/index.js";
import type { Release } from "../../scoring/index.js";
import { answerPrompts } from "./answerPrompts.js";
import { promptOf, type QuestionForm } from "./questionForm.js";
import { ResponseRows } from "./responseRows.js";

/** Whose answers are wanted, and where they go. */
export interface GenerateResponsesRequest extends QuestionForm {
  readonly model: LanguageModel;
  /** What tells the model from others, as a reference does. */
  readonly reference: string;
  /** What its folder is called. */
  readonly modelName: string;
  readonly release: Release;
  /** Answers go to `<root>/<model>/<benchmark>/<version>/`. */
  readonly root: string;
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Hears how many rows have an answer; `known` of them from before. */
  readonly onProgress?: ((done: number, total: number, known: number) => void) | undefined;
}

/** What was made. */
export interface GeneratedResponses {
  readonly files: readonly string[];
  readonly rows: number;
  /** Rows with an answer. */
  readonly answered: number;
  /** Questions that the model was asked now. */
  readonly calls: number;
  readonly firstFailure: unknown;
}

/**
 * Writes a model's answers to a release in MixEval's layout. Each different prompt is asked once, also over both
 * benchmarks; what a file has from before is not asked again.
 * @throws RESUME_REFUSED where answers were made with other settings; the signal's reason; what the model throws
 */
export async function generateResponses(request: GenerateResponsesRequest): Promise<GeneratedResponses> {
  const files: ResponseRows[] = [];
  try {
    for (const split of request.release.splits) {
      const { root, modelName: model, release } = request;
      const prompts = [...split.rows.values()].map((row) => promptOf(row, request.baseModel));
      files.push(
        await ResponseRows.open({
          root,
          model,
          version: release.version,
          split,
          args: argsOf(request),
          prompts,
        }),
      );
    }
    return await answerOpen(files, request);
  } finally {
    for (const file of files) await file.close();
  }
}

async function answerOpen(
  files: readonly ResponseRows[],
  request: GenerateResponsesRequest,
): Promise<GeneratedResponses> {
  const { signal, release, onProgress } = request;
  const rows = release.splits.reduce((sum, split) => sum + split.rows.size, 0);
  const known = new Map(files.flatMap((file) => [...file.known]));
  const before = rows - files.reduce((sum, file) => sum + file.open.size, 0);
  let done = before;
  onProgress?.(done, rows, before);
  const waiting = new Map<string, { file: ResponseRows; id: string }[]>();
  for (const file of files) {
    for (const [id, prompt] of file.open) {
      waiting.set(prompt, [...(waiting.get(prompt) ?? []), { file, id }]);
    }
  }
  const keep = async (prompt: string, answer: string): Promise<void> => {
    for (const { file, id } of waiting.get(prompt)!) {
      await file.add(id, answer);
      done++;
    }
    onProgress?.(done, rows, before);
  };

  const asked: string[] = [];
  for (const prompt of waiting.keys()) {
    const answer = known.get(prompt);
    if (answer === undefined) asked.push(prompt);
    else await keep(prompt, answer);
  }
  const { answered, firstFailure } = await answerPrompts(request.model, asked, {
    ...request,
    signal,
    onAnswer: async (prompt, answer) => {
      waiting.get(prompt)![0]!.file.asked();
      await keep(prompt, answer);
    },
  });
  return { files: files.map(({ path }) => path), rows, answered: done, calls: answered, firstFailure };
}

function argsOf({ reference, baseModel, systemPrompt, settings }: GenerateResponsesRequest) {
  const { maxNewTokens = null, temperature = 0, topP = 1, topK = 0, seed = 0 } = settings;
  return {
    model: reference,
    base_model: baseModel,
    system_prompt: systemPrompt ?? null,
    max_new_tokens: maxNewTokens,
    temperature,
    top_p: topP,
    top_k: topK,
    seed,
  };
}
