import { becomeWorker, createLogger, ElenchusError, loadModules, systemClock } from "../../base/index.js";
import { type OpenedModel, openModel } from "../../language/index.js";
import { endWithParent } from "../../trainers/orphanWatch.js";
import { receivedError, sentError } from "../../trainers/workerMessages.js";
import { completeChat } from "../completions/completeChat.js";
import { completeText } from "../completions/completeText.js";
import type { FromModel, ModelQuestion, ModelStart, ToModel } from "./modelMessages.js";

becomeWorker();

// Ctrl-C reaches the whole process group; when a model ends is for its parent to say.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
process.on("disconnect", () => process.exit(0));
endWithParent();

let opened: OpenedModel | undefined;
let stop: { readonly id: number; readonly controller: AbortController } | undefined;

process.on("message", (message: ToModel) => void hear(message));

async function hear(message: ToModel): Promise<void> {
  if (message.kind === "start") await start(message.start);
  else if (message.kind === "ask") await answer(message);
  else if (stop?.id === message.id) stop.controller.abort(receivedError(message.error));
}

async function start({ reference, modules, results, hub, computing, logLevel }: ModelStart): Promise<void> {
  try {
    await loadModules(modules);
    const logger = createLogger(logLevel, (message, level) => say({ kind: "log", level, message }));
    opened = await openModel(reference, {
      ...computing,
      results,
      logger,
      ...(hub && { hub: { settings: hub, logger, clock: systemClock } }),
    });
    const { name, model, tokenizerFolder } = opened;
    say({ kind: "ready", name, contextLength: model.contextLength, tokenizerFolder });
  } catch (error) {
    say({ kind: "refused", error: sentError(error) });
  }
}

async function answer({ id, question, tells }: Extract<ToModel, { kind: "ask" }>): Promise<void> {
  const controller = new AbortController();
  stop = { id, controller };
  try {
    const value = await answered(question, {
      signal: controller.signal,
      ...(tells && {
        onText: ({ index, text }: { index: number; text: string }) => say({ kind: "text", id, index, text }),
        onAnswered: (count: number) => say({ kind: "some", id, count }),
      }),
    });
    say({ kind: "answer", id, value });
  } catch (error) {
    say({ kind: "failed", id, error: sentError(error) });
  }
}

/** Who hears of an answer under way. */
interface Hearing {
  readonly signal: AbortSignal;
  readonly onText?: (piece: { index: number; text: string }) => void;
  readonly onAnswered?: (count: number) => void;
}

async function answered(question: ModelQuestion, hearing: Hearing): Promise<unknown> {
  if (opened === undefined) {
    throw new ElenchusError("INTERNAL", "The process of a model was asked before it was started.");
  }
  const { model } = opened;
  switch (question.method) {
    case "generate":
      return await model.generate(question.requests, { ...question.options, ...hearing });
    case "logLikelihood":
      return await model.logLikelihood(question.requests, { ...question.options, ...hearing });
    case "rollingLogLikelihood":
      return await model.rollingLogLikelihood(question.requests, { ...question.options, ...hearing });
    case "forward":
      return await model.forward(question.requests, { signal: hearing.signal });
    case "text":
      return await completeText(model, question.request, { ...question.limits, ...hearing });
    case "chat":
      return await completeChat(model, question.request, { ...question.limits, ...hearing });
  }
}

function say(message: FromModel): void {
  if (process.connected) process.send?.(message);
}
