import type { FastifyInstance } from "fastify";
import { inferenceRoutes, type Model } from "../../../api/index.js";
import { ElenchusError } from "../../../base/index.js";
import type { CompletionSurroundings } from "../../completions/completeText.js";
import { completionsOf } from "../../serving/modelPool.js";
import { answer, type Call } from "../answer.js";
import { type EventStream, openEventStream } from "../eventStream.js";
import type { ServiceContext } from "../serviceContext.js";

type Inference = Call<typeof inferenceRoutes.completions> | Call<typeof inferenceRoutes.chat>;

/** Models behind OpenAI's protocol. */
export function addInferenceRoutes(app: FastifyInstance, { models, settings, clock }: ServiceContext): void {
  const surroundings = (signal: AbortSignal): CompletionSurroundings => ({
    signal,
    maxNewTokens: settings.service.max_new_tokens,
    now: Math.floor(clock.now() / 1000),
  });
  const streamed = async (
    call: Inference,
    work: (stream: EventStream, surroundings: CompletionSurroundings) => Promise<void>,
  ) => {
    const stream = openEventStream(call.reply, call.signal);
    try {
      await work(stream, surroundings(call.signal));
      await stream.send("[DONE]");
    } catch (error) {
      // The status is out: clients of this protocol look for an error in the data, one that comes late or as the
      // service stops too.
      if (!call.reply.raw.destroyed) stream.fail(error);
    }
    stream.end();
    return call.reply;
  };

  answer(app, inferenceRoutes.completions, async (call) => {
    const { body, signal } = call;
    return await models.use(body.model, signal, async (_, opened) => {
      const { text: complete } = completionsOf(opened);
      if (!body.stream) return await complete(body, surroundings(signal));
      requirePlain(body.logprobs !== null && body.logprobs !== undefined, "logprobs");
      return await streamed(call, async (stream, around) => {
        const created = around.now;
        const id = `cmpl-${crypto.randomUUID()}`;
        const chunk = (index: number, text: string, reason: "stop" | "length" | null) => ({
          ...{ id, object: "text_completion", created, model: body.model },
          choices: [{ index, text, finish_reason: reason, logprobs: null }],
        });
        let sending = Promise.resolve();
        const onText = ({ index, text }: { index: number; text: string }) => {
          sending = sending.then(() => stream.send(chunk(index, text, null)));
        };
        const whole = await complete({ ...body, echo: false }, { ...around, onText });
        await sending;
        for (const { index, finish_reason: reason } of whole.choices)
          await stream.send(chunk(index, "", reason));
      });
    });
  });
  answer(app, inferenceRoutes.chat, async (call) => {
    const { body, signal } = call;
    return await models.use(body.model, signal, async (_, opened) => {
      const { chat: complete } = completionsOf(opened);
      if (!body.stream) return await complete(body, surroundings(signal));
      requirePlain(body.logprobs === true, "logprobs");
      return await streamed(call, async (stream, around) => {
        const created = around.now;
        const id = `chatcmpl-${crypto.randomUUID()}`;
        const chunk = (index: number, delta: object, reason: "stop" | "length" | null) => ({
          ...{ id, object: "chat.completion.chunk", created, model: body.model },
          choices: [{ index, delta, finish_reason: reason, logprobs: null }],
        });
        for (let index = 0; index < (body.n ?? 1); index++) {
          await stream.send(chunk(index, { role: "assistant", content: "" }, null));
        }
        let sending = Promise.resolve();
        const onText = ({ index, text }: { index: number; text: string }) => {
          sending = sending.then(() => stream.send(chunk(index, { content: text }, null)));
        };
        const whole = await complete(body, { ...around, onText });
        await sending;
        for (const { index, finish_reason: reason } of whole.choices)
          await stream.send(chunk(index, {}, reason));
      });
    });
  });
  answer(app, inferenceRoutes.listModels, async () => ({
    object: "list" as const,
    data: (await models.list()).map(modelReply),
  }));
  answer(app, inferenceRoutes.getModel, async ({ params }) => {
    const found = (await models.list()).find(({ name }) => name === params.model_id);
    if (found !== undefined) return modelReply(found);
    throw new ElenchusError(
      "NOT_FOUND",
      `Model ${params.model_id} is not listed here; GET /v1/models shows those that are.`,
    );
  });
}

function requirePlain(asked: boolean, field: string): void {
  if (!asked) return;
  throw new ElenchusError(
    "REQUEST_INVALID",
    `${field} is not given together with stream: ask for one of them.`,
    {
      details: { param: field },
    },
  );
}

function modelReply({ name, reference }: { name: string; reference: string }): Model {
  return {
    id: name,
    object: "model",
    created: 0,
    owned_by: "elenchus",
    identifier: name,
    provider_id: "elenchus",
    provider_resource_id: reference,
    type: "model",
    model_type: "llm",
    metadata: {},
  };
}
