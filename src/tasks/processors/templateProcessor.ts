import { z } from "zod";
import type { ChatTurn } from "../../tokenizers/index.js";
import type { DictSample } from "../datasets/baseDataset.js";
import type { GenerationResponseSample, PreprocessedSample, ScorerInputSample } from "../samples.js";
import { BaseGeneratorProcessor } from "./baseProcessor.js";
import { columnText } from "./rowColumns.js";

const params = z.strictObject({
  /** The question; `{{column}}` stands for a column of the row, everything else for itself. */
  template: z.string().min(1),
  /** Stands in front of it as the system's turn; slots as in `template`. */
  system_message: z.string().optional(),
  /** Where what is expected stands. */
  expected_column: z.string().min(1).default("expected_answer"),
  /** `chat`: a turn of the user; `completion`: a text that is gone on from. */
  form: z.enum(["chat", "completion"]).default("chat"),
});

/** Questions by a template. A template is data: it is filled once, and what fills it is not looked at again. */
export class TemplateProcessor extends BaseGeneratorProcessor {
  readonly #params: z.output<typeof params>;

  constructor(given: z.output<typeof params>) {
    super();
    this.#params = given;
  }

  preprocessSample(sample: DictSample): PreprocessedSample {
    const { system_message: system, form } = this.#params;
    const question = this.#question(sample);
    if (form === "completion") {
      const before = system === undefined ? "" : `${filled(system, sample)}\n\n`;
      return { generation_input: { prompt: before + question } };
    }
    const first: ChatTurn[] =
      system === undefined ? [] : [{ role: "system", content: filled(system, sample) }];
    return { generation_input: { messages: [...first, { role: "user", content: question }] } };
  }

  postprocessSample({ generation_output }: GenerationResponseSample, sample: DictSample): ScorerInputSample {
    const { finish: _, ...output } = generation_output;
    const { expected_column: expected } = this.#params;
    return {
      input_query: this.#question(sample),
      ...sample.data,
      ...(Object.hasOwn(sample.data, expected) && { expected_answer: sample.data[expected] }),
      generated_answer: output.completion_message,
      generation_output: output,
    } as ScorerInputSample;
  }

  #question(sample: DictSample): string {
    return filled(this.#params.template, sample);
  }
}

/** As it is registered. */
export const templateProcessor = {
  params,
  create: (given: z.output<typeof params>) => new TemplateProcessor(given),
};

function filled(template: string, { data }: DictSample): string {
  // Trimmed afterwards: white space that two parts of a pattern may share is tried in every division.
  return template.replace(/\{\{([^{}]+)\}\}/g, (_, column: string) => columnText(data, column.trim()));
}
