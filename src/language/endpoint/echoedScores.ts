import { ElenchusError } from "../../base/index.js";
import type { TokenScores } from "../tokenLanguageModel.js";
import { type CompletionChoice, type EchoedTokens, invalidAnswer } from "./answers.js";

/**
 * The scores of the continuation, from an echo of a prompt given as tokens.
 * @param contextTokens tokens of the context
 * @param tokens tokens of the whole prompt; what the server generated behind it is not looked at
 * @throws CAPABILITY_MISSING where the server gives no log probabilities of the prompt; ENDPOINT_INVALID
 */
export function scoresOfTokens(
  choice: CompletionChoice,
  { contextTokens, tokens }: { contextTokens: number; tokens: number },
): TokenScores {
  const echoed = requireEcho(choice);
  if (echoed.token_logprobs.length < tokens) {
    throw missing(`it gave log probabilities of ${echoed.token_logprobs.length} of ${tokens} tokens`);
  }
  // One more was generated. Further ones stand in front, and would shift every score to another token.
  if (echoed.token_logprobs.length > tokens + 1) {
    throw missing(`it read ${echoed.token_logprobs.length - 1} tokens where it was given ${tokens}`);
  }
  return scoresOf(echoed, contextTokens, tokens);
}

/**
 * The scores of the continuation, from an echo of a prompt given as text: of its tokens and, where one spans the
 * boundary, that one too.
 * @param boundary code points of the context
 * @param length code points of the whole prompt
 * @throws as `scoresOfTokens`
 */
export function scoresOfText(
  choice: CompletionChoice,
  { boundary, length }: { boundary: number; length: number },
): TokenScores {
  const echoed = requireEcho(choice);
  const offsets = echoed.text_offset;
  if (!offsets || offsets.length !== echoed.tokens.length) {
    throw missing("it does not say where tokens stand in the text, and no tokenizer is known");
  }
  const endOf = (place: number) => offsets[place + 1] ?? offsets[place]! + [...echoed.tokens[place]!].length;
  let start = 0;
  while (start < offsets.length && endOf(start) <= boundary) start++;
  let end = start;
  while (end < offsets.length && offsets[end]! < length) end++;
  if (end === start) throw missing("it did not echo the prompt");
  return scoresOf(echoed, start, end);
}

function scoresOf(echoed: EchoedTokens, start: number, end: number): TokenScores {
  const logLikelihoods = echoed.token_logprobs.slice(start, end).map((value) => {
    if (value !== null) return value;
    throw missing("it has no log probability for a token of the continuation");
  });
  return {
    logLikelihoods,
    greedy: logLikelihoods.every((value, index) => isBest(echoed, start + index, value)),
  };
}

/** Servers list the most likely tokens, and often the token itself beside them. */
function isBest({ tokens, top_logprobs: listed }: EchoedTokens, place: number, value: number): boolean {
  const others = listed?.[place];
  if (!others) throw missing("it does not say which tokens were the most likely ones");
  const largest = Math.max(...Object.values(others));
  const [best] = Object.entries(others).find(([, other]) => other === largest) ?? [];
  return best === tokens[place] || value > largest;
}

function requireEcho({ logprobs }: CompletionChoice): EchoedTokens {
  if (!logprobs) throw missing("it gave no log probabilities");
  if (logprobs.tokens.length === logprobs.token_logprobs.length) return logprobs;
  throw invalidAnswer(
    "/completions",
    `${logprobs.tokens.length} tokens with ${logprobs.token_logprobs.length} log probabilities`,
  );
}

function missing(what: string): ElenchusError {
  return new ElenchusError(
    "CAPABILITY_MISSING",
    `The endpoint cannot score continuations: ${what}. Use a server whose completions have echo and logprobs, or tasks that generate.`,
  );
}
