/** Tasks that go by one name. */
export interface Preset {
  readonly description: string;
  /** As `tasks` would name them. */
  readonly tasks: readonly string[];
  /** The metric that stands for the result. */
  readonly primary: string;
}

/** What `preset` can name. The first is Plato's; the others are for models too small to follow instructions. */
export const presets: Readonly<Record<string, Preset>> = {
  smollm_round_fast: {
    description: "Plato's: IFEval, HellaSwag, ARC Easy and Challenge, PIQA",
    tasks: ["ifeval", "hellaswag", "arc_easy", "arc_challenge", "piqa"],
    primary: "ifeval_avg",
  },
  small_choices: {
    description:
      "Choices by likelihood, as lm-evaluation-harness asks: HellaSwag, ARC, PIQA, WinoGrande, OpenBookQA",
    tasks: [
      "harness:hellaswag",
      "harness:arc_easy",
      "harness:arc_challenge",
      "harness:piqa",
      "harness:winogrande",
      "harness:openbookqa",
    ],
    primary: "harness_arc_easy",
  },
  small_texts: {
    description: "How well texts are foreseen: the last words of LAMBADA, WikiText-2",
    tasks: ["harness:lambada_openai", "harness:wikitext"],
    primary: "harness_lambada_openai",
  },
  small_letters: {
    description:
      "Choices by the letter that is written, as lighteval asks: HellaSwag, PIQA, OpenBookQA, MMLU",
    tasks: ["hellaswag", "piqa", "openbookqa", "mmlu"],
    primary: "mmlu_avg",
  },
};

/** The preset where a table names neither one nor tasks. */
export const DEFAULT_PRESET = "smollm_round_fast";

/** Presets sorted by name, for lists. */
export function presetCatalog(): { name: string; description: string }[] {
  return Object.keys(presets)
    .sort()
    .map((name) => ({ name, description: presets[name]!.description }));
}
