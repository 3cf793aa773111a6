import { ElenchusError, messageOf, pythonStrip } from "../../base/index.js";
import type { TableRow } from "../../data/index.js";
import { choiceAccuracy } from "../metrics/choiceMetrics.js";
import type { Metric } from "../metrics/metric.js";
import { documentPerplexity, greedyAccuracy, textPerplexities } from "../metrics/perplexity.js";
import { type Extract, exactMatch, extractByPattern } from "../metrics/textMatch.js";
import type { TaskDocumentFile } from "./taskDocument.js";

type NamedMetric = NonNullable<TaskDocumentFile["metric_list"]>[number];
type NamedFilter = NonNullable<TaskDocumentFile["filter_list"]>[number];

/**
 * The metrics of a task file, for each filter; without a list those that the harness gives its kind of output.
 * @param page the text that a row is about, for perplexities of whole texts
 * @throws CONFIG_CONFLICT for a metric that this kind of output does not have
 */
export function fileMetrics(document: TaskDocumentFile, page: (row: TableRow) => string): Metric[] {
  const { output_type: output, metric_list: list = DEFAULTS[output].map(plain) } = document;
  const filters = output === "generate_until" ? (document.filter_list ?? [undefined]) : [undefined];
  return filters.flatMap((filter) =>
    list.map((one) => {
      const metric = metricOf(one, output, filter, page);
      const { higher_is_better: higherIsBetter = metric.higherIsBetter } = one;
      return { ...metric, higherIsBetter };
    }),
  );
}

const DEFAULTS: Readonly<Record<TaskDocumentFile["output_type"], readonly NamedMetric["metric"][]>> = {
  multiple_choice: ["acc", "acc_norm"],
  generate_until: ["exact_match"],
  loglikelihood: ["perplexity", "acc"],
  loglikelihood_rolling: ["word_perplexity", "byte_perplexity", "bits_per_byte"],
};

function plain(metric: NamedMetric["metric"]): NamedMetric {
  return { metric, ignore_case: false, ignore_punctuation: false, regexes_to_ignore: [] };
}

function metricOf(
  named: NamedMetric,
  output: TaskDocumentFile["output_type"],
  filter: NamedFilter | undefined,
  page: (row: TableRow) => string,
): Metric {
  const { metric } = named;
  if (output === "multiple_choice") {
    if (metric === "acc") return choiceAccuracy("acc");
    if (metric === "acc_norm") return choiceAccuracy("acc_norm", "characters");
    if (metric === "acc_bytes") return choiceAccuracy("acc_bytes", "bytes");
  }
  if (output === "loglikelihood") {
    if (metric === "perplexity") return documentPerplexity("perplexity");
    if (metric === "acc") return greedyAccuracy("acc");
  }
  if (output === "loglikelihood_rolling") {
    const found = textPerplexities(page, "none").find(({ name }) => name === metric);
    if (found !== undefined) return found;
  }
  if (output === "generate_until" && metric === "exact_match") {
    return exactMatch({
      ...(filter !== undefined && { filter: filter.name, extract: filterOf(filter) }),
      ignore: named.regexes_to_ignore.map((source) => pythonPattern(source, "g")),
      ignoreCase: named.ignore_case,
      ignorePunctuation: named.ignore_punctuation,
    });
  }
  throw new ElenchusError(
    "CONFIG_CONFLICT",
    `The metric ${metric} does not go with output_type ${output}. Expected one of ${DEFAULTS[output].join(", ")}.`,
  );
}

function filterOf({ filter }: NamedFilter): Extract {
  const steps = filter.map(stepOf);
  return (text) => steps.reduce((rest, step) => step(rest), text);
}

function stepOf(step: NamedFilter["filter"][number]): Extract {
  switch (step.function) {
    case "regex":
      return extractByPattern(
        pythonPattern(step.regex_pattern, ""),
        step.group_select === 0 ? "first" : "last",
      );
    case "lowercase":
      return (text) => text.toLowerCase();
    case "uppercase":
      return (text) => text.toUpperCase();
    case "remove_whitespace":
      return pythonStrip;
    case "take_first":
      return (text) => text;
  }
}

/** A pattern of Python's `re`; flags at its beginning, `(?s)` above all, are taken over. */
function pythonPattern(source: string, flags: string): RegExp {
  const [whole = "", letters = ""] = /^\(\?([aims]+)\)/.exec(source) ?? [];
  try {
    return new RegExp(source.slice(whole.length), flags + letters.replace("a", ""));
  } catch (error) {
    throw new ElenchusError(
      "INPUT_UNREADABLE",
      `${JSON.stringify(source)} is no pattern that can be read: ${messageOf(error)}.`,
    );
  }
}
