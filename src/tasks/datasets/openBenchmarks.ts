/** Data sets of Llama Stack's open benchmarks, whose rows hold their questions in `chat_completion_input`, for the processor `chat`. */
export const OPEN_BENCHMARKS = [
  {
    identifier: "llamastack/simpleqa",
    path: "llamastack/simpleqa",
    config: null,
    split: "train",
    description: "SimpleQA: short questions about facts, to be graded by a judge",
  },
  {
    identifier: "llamastack/mmlu_cot",
    path: "llamastack/mmlu_cot",
    config: "all",
    split: "test",
    description: "MMLU with reasoning before the letter",
  },
  {
    identifier: "llamastack/gpqa_0shot_cot",
    path: "llamastack/gpqa_0shot_cot",
    config: "gpqa_main",
    split: "test",
    description: "GPQA with reasoning before the letter",
  },
  {
    identifier: "llamastack/math_500",
    path: "llamastack/math_500",
    config: null,
    split: "test",
    description: "MATH-500: competition mathematics, the answer in a box",
  },
  {
    identifier: "llamastack/IfEval",
    path: "llamastack/IfEval",
    config: null,
    split: "train",
    description: "IFEval: instructions whose following can be checked",
  },
] as const;
