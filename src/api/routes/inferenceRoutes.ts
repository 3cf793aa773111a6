import { chatCompletionSchema, chatRequestSchema } from "../chat.js";
import { completionRequestSchema, completionSchema } from "../completions.js";
import { modelListSchema, modelSchema } from "../models.js";
import { route } from "../route.js";

const group = "inference";

/** Models behind OpenAI's protocol. */
export const inferenceRoutes = {
  completions: route({
    method: "POST",
    path: "/v1/completions",
    aliases: ["/v1/openai/v1/completions"],
    scope: "infer",
    group,
    summary: "Go on from prompts; with echo and logprobs, score them",
    body: completionRequestSchema,
    reply: completionSchema,
  }),
  chat: route({
    method: "POST",
    path: "/v1/chat/completions",
    aliases: ["/v1/openai/v1/chat/completions"],
    scope: "infer",
    group,
    summary: "The next turn of a chat",
    body: chatRequestSchema,
    reply: chatCompletionSchema,
  }),
  listModels: route({
    method: "GET",
    path: "/v1/models",
    aliases: ["/v1/openai/v1/models"],
    scope: "read",
    group,
    summary: "Models by name, and the runs whose checkpoints can be asked",
    reply: modelListSchema,
  }),
  getModel: route({
    method: "GET",
    path: "/v1/models/{model_id:path}",
    aliases: ["/v1/openai/v1/models/{model_id:path}"],
    scope: "read",
    group,
    summary: "One model",
    reply: modelSchema,
  }),
} as const;
