/** What a scorer of autoevals asks for. */
export interface AutoevalsEntry {
  /** As the package exports it. */
  readonly name: string;
  readonly description: string;
  /** Columns of the row beside `generated_answer` that it cannot do without. */
  readonly columns: readonly string[];
  /** What it asks a model for; nothing where absent. */
  readonly asks?: "judge" | "retrieval" | "embeddings" | "moderation";
  /** How the answer and the expected one are read. Default: as they are, texts of anything else. */
  readonly reads?: "number" | "json" | "list" | "any";
  /** Makes the scorer of params, rather than being one. */
  readonly factory?: true;
}

const QUESTION = ["input_query", "expected_answer"];

/** Every scorer that autoevals 0.3.0 exports; a test compares the names with the package. */
export const AUTOEVALS: readonly AutoevalsEntry[] = [
  entry("Levenshtein", "1 - edit distance / longer text, in UTF-16 units", { columns: ["expected_answer"] }),
  entry("LevenshteinScorer", "the same as Levenshtein", { columns: ["expected_answer"] }),
  entry("ExactMatch", "1 where both are equal as texts, objects as JSON", { reads: "any" }),
  entry("NumericDiff", "1 - |e - o| / (|e| + |o|)", { columns: ["expected_answer"], reads: "number" }),
  entry("JSONDiff", "how alike two JSON values are", { columns: ["expected_answer"], reads: "any" }),
  entry("ValidJSON", "1 where the output is JSON of an object or list, or fits `schema`", { reads: "any" }),
  entry("ListContains", "best assignment between two lists of texts", {
    columns: ["expected_answer"],
    reads: "list",
  }),
  entry("EmbeddingSimilarity", "cosine of two embeddings above `expectedMin`", {
    columns: ["expected_answer"],
    asks: "embeddings",
  }),
  entry("Moderation", "1 where the moderation model flags nothing", { asks: "moderation" }),
  entry("Battle", "whether the output follows `instructions` better than the expected one", {
    columns: ["expected_answer", "instructions"],
    asks: "judge",
  }),
  entry("ClosedQA", "whether the output meets `criteria`", {
    columns: ["input_query", "criteria"],
    asks: "judge",
  }),
  entry("Factuality", "how the facts of the output relate to those of the expected one", {
    columns: QUESTION,
    asks: "judge",
  }),
  entry("Humor", "whether the output is funny", { asks: "judge" }),
  entry("Possible", "whether the output solves the task rather than calling it impossible", {
    columns: ["input_query"],
    asks: "judge",
  }),
  entry("Security", "whether the output is malicious", { asks: "judge" }),
  entry("Sql", "whether two queries mean the same", { columns: QUESTION, asks: "judge" }),
  entry("Summary", "whether the output is the better summary", { columns: QUESTION, asks: "judge" }),
  entry("Translation", "whether the output means the same as an expert's translation from `language`", {
    columns: [...QUESTION, "language"],
    asks: "judge",
  }),
  entry("ContextEntityRecall", "how many entities of the expected answer the context has", {
    columns: ["expected_answer", "context"],
    asks: "retrieval",
  }),
  entry("ContextRelevancy", "share of the context that the question needs", {
    columns: ["input_query", "context"],
    asks: "retrieval",
  }),
  entry("ContextRecall", "share of the expected answer that the context supports", {
    columns: [...QUESTION, "context"],
    asks: "retrieval",
  }),
  entry("ContextPrecision", "whether the context was of use", {
    columns: [...QUESTION, "context"],
    asks: "retrieval",
  }),
  entry("Faithfulness", "share of the output's statements that the context supports", {
    columns: ["input_query", "context"],
    asks: "retrieval",
  }),
  entry("AnswerRelevancy", "how near questions made of the output are to the question", {
    columns: ["input_query", "context"],
    asks: "retrieval",
  }),
  entry("AnswerSimilarity", "cosine of two embeddings", { columns: ["expected_answer"], asks: "embeddings" }),
  entry("AnswerCorrectness", "F1 over statements, and similarity", { columns: QUESTION, asks: "retrieval" }),
  entry("LLMClassifierFromTemplate", "a classifier of `promptTemplate` and `choiceScores`", {
    asks: "judge",
    factory: true,
  }),
  entry("LLMClassifierFromSpec", "a classifier of `spec`: prompt and choice_scores", {
    asks: "judge",
    factory: true,
  }),
  entry("LLMClassifierFromSpecFile", "one of the package's own classifiers, by `templateName`", {
    asks: "judge",
    factory: true,
  }),
  entry("OpenAIClassifier", "a classifier of `messages` and `choiceScores`", { asks: "judge" }),
];

function entry(
  name: string,
  description: string,
  more: Partial<Omit<AutoevalsEntry, "name" | "description">>,
): AutoevalsEntry {
  return { name, description, columns: [], ...more };
}

/** Llama Stack's names of Braintrust's scorers, and the metric that its first interface gave two of them. */
export const BRAINTRUST: readonly { name: string; entry: string; average?: string }[] = [
  { name: "braintrust::factuality", entry: "Factuality", average: "avg_factuality_score" },
  { name: "braintrust::answer-correctness", entry: "AnswerCorrectness", average: "avg_correctness_score" },
  { name: "braintrust::answer-relevancy", entry: "AnswerRelevancy" },
  { name: "braintrust::answer-similarity", entry: "AnswerSimilarity" },
  { name: "braintrust::faithfulness", entry: "Faithfulness" },
  { name: "braintrust::context-entity-recall", entry: "ContextEntityRecall" },
  { name: "braintrust::context-precision", entry: "ContextPrecision" },
  { name: "braintrust::context-recall", entry: "ContextRecall" },
  { name: "braintrust::context-relevancy", entry: "ContextRelevancy" },
];
