/** Five questions with answers that were given, three of them right. */
export const FIVE_ROWS = [
  ["What is the capital of France?", "London", "Paris"],
  ["Who is the CEO of Meta?", "Mark Zuckerberg", "Mark Zuckerberg"],
  ["What is the largest planet in our solar system?", "Jupiter", "Jupiter"],
  ["What is the smallest country in the world?", "China", "Vatican City"],
  ["What is the currency of Japan?", "Yen", "Yen"],
].map(([input_query, generated_answer, expected_answer]) => ({
  input_query: input_query!,
  generated_answer: generated_answer!,
  expected_answer: expected_answer!,
  chat_completion_input: JSON.stringify([{ role: "user", content: input_query }]),
}));

/** What equality and inclusion make of them. */
export const ACCURACY = { accuracy: 0.6, num_correct: 3, num_total: 5 };
