import { ElenchusError } from "../../base/index.js";
import type { JudgeModels } from "../judge/judgeModel.js";
import { JudgeSession, type JudgeTotals } from "../judge/judgeSession.js";
import { judgeParser } from "./judgeParser.js";
import type { MixEvalResponse } from "./mixEvalRow.js";
import { type ParserOptions, type ResponseParser, responseParser } from "./responseParser.js";

/** What opening a parser may use. */
export interface OpenParserOptions extends ParserOptions {
  /** Reference of the judge; only the parser `judge` takes one. */
  readonly judgeModel?: unknown;
  readonly judges?: JudgeModels | undefined;
  /** Questions to the judge at a time. Default 8. */
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A parser that is ready, and what is known of its work. Close it. */
export interface OpenedParser {
  readonly name: string;
  /** The judge's name; undefined for parsers without one. */
  readonly judge: string | undefined;
  /** Answers that may be parsed at a time; draws by chance depend on the order. */
  readonly concurrency: number;
  readonly parse: ResponseParser;
  /** What the judge said of an answer, the very object that was parsed. */
  reply(answer: MixEvalResponse): string | undefined;
  /** Calls and tokens so far; null without a judge. */
  readonly totals: JudgeTotals | null;
  /** Why the first answer without a verdict has none. */
  readonly firstFailure: unknown;
  close(): Promise<void>;
}

/**
 * Opens a parser by name. `judge` asks the model that `judgeModel` names, equal conversations once.
 * @throws NAME_UNKNOWN; CONFIG_INVALID for a judge without a parser that asks it; why the judge cannot be opened
 */
export async function openParser(name: string, options: OpenParserOptions = {}): Promise<OpenedParser> {
  if (name === "judge") return await openJudge(options);
  const parse = responseParser(name, options);
  if (options.judgeModel !== undefined) {
    throw new ElenchusError(
      "CONFIG_INVALID",
      `The parser is "${name}", which asks no judge, and a judge model is given. Leave one of them out, or set the parser to "judge".`,
    );
  }
  const nothing = { judge: undefined, totals: null, firstFailure: undefined, reply: () => undefined };
  return { name, concurrency: 1, parse, ...nothing, close: async () => {} };
}

async function openJudge(options: OpenParserOptions): Promise<OpenedParser> {
  const { judgeModel, judges, concurrency = 8, signal } = options;
  const replies = new WeakMap<MixEvalResponse, string>();
  let firstFailure: unknown;
  const session = judgeModel === undefined ? undefined : new JudgeSession(judgeModel, { judges });
  await session?.open(signal);
  const parse = judgeParser(
    async (...question) => {
      if (session !== undefined) return await session.ask(...question);
      throw noJudge();
    },
    {
      heard: (answer, reply) => void replies.set(answer, reply),
      unjudged: (_, why) => {
        firstFailure ??= why;
      },
    },
  );
  return {
    name: "judge",
    judge: session?.model.name,
    concurrency,
    parse,
    reply: (answer) => replies.get(answer),
    totals: session?.totals ?? null,
    get firstFailure() {
      return firstFailure;
    },
    close: async () => session?.close(),
  };
}

function noJudge(): ElenchusError {
  return new ElenchusError(
    "CONFIG_INVALID",
    "There are answers without a verdict, and no judge to ask. Name its model: https://host/v1#MODEL, a folder, or RUN@ROUND.",
  );
}
