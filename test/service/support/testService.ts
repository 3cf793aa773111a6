import type { FastifyInstance, InjectOptions } from "fastify";
import { afterAll } from "vitest";
import { type Logger, silentLogger } from "../../../src/base/index.js";
import { readServiceConfig } from "../../../src/config/index.js";
import { type LanguageModel, ScriptedLanguageModel } from "../../../src/language/index.js";
import { createApp } from "../../../src/service/http/createApp.js";
import { serviceContext } from "../../../src/service/http/serviceContext.js";
import { type OpenedContext, openContext } from "../../../src/service/openContext.js";
import { ModelPool } from "../../../src/service/serving/modelPool.js";
import { startJobs } from "../../../src/service/startJobs.js";
import { CONTEXT_LENGTH, logitsAfter, tokenizer } from "../../language/bigram.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";

/** What a test's service is made of. */
export interface TestServiceOptions {
  /** `key=value` of `[service]`. */
  readonly set?: readonly string[];
  readonly environment?: Record<string, string>;
  /** Models by name, in the place of those that references open. */
  readonly models?: Readonly<Record<string, LanguageModel>>;
  readonly base?: string;
  readonly logger?: Logger;
  readonly page?: string;
}

/** A service in this process, asked without a socket. */
export interface TestService {
  readonly app: FastifyInstance;
  readonly context: OpenedContext;
  readonly base: string;
  ask(method: "GET" | "POST" | "DELETE", url: string, body?: unknown, more?: InjectOptions): Promise<Asked>;
  close(): Promise<void>;
}

export interface Asked {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a reply is looked at field by field
  readonly json: any;
  readonly text: string;
  readonly headers: Record<string, unknown>;
}

/** Opens a service in a folder of its own; it is closed after the file's last test. */
export async function testService(options: TestServiceOptions = {}): Promise<TestService> {
  const base = options.base ?? temporaryFolder("service");
  const { settings } = readServiceConfig(undefined, {
    base,
    set: (options.set ?? []).map((one) => `service.${one}`),
  });
  const opened = await openContext(settings, {
    environment: options.environment ?? {},
    logger: options.logger ?? silentLogger,
    ...(options.models && { pool: poolOf(options.models) }),
  });
  const jobs = await startJobs(opened);
  const app = await createApp(serviceContext(opened, jobs), { page: options.page });
  await app.ready();
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await app.close();
    await jobs.close();
    await opened.close();
  };
  afterAll(close);
  return {
    app,
    context: opened,
    base,
    close,
    async ask(method, url, body, more = {}) {
      const reply = await app.inject({
        method,
        url,
        headers: { host: "localhost", ...more.headers },
        ...(body !== undefined && { payload: body as object }),
      });
      return {
        status: reply.statusCode,
        json: /json/.test(String(reply.headers["content-type"])) ? reply.json() : undefined,
        text: reply.body,
        headers: reply.headers,
      };
    },
  };
}

function poolOf(models: Readonly<Record<string, LanguageModel>>): ModelPool {
  return new ModelPool({
    kept: 1,
    logger: silentLogger,
    list: async () => Object.keys(models).map((name) => ({ name, reference: name })),
    find: async (name) => {
      const model = models[String(name)];
      if (model === undefined) throw new Error(`no model ${String(name)}`);
      return {
        key: String(name),
        open: async () => ({
          name: String(name),
          model,
          tokenizer: model.tokenizer,
          local: true,
          release: async () => {},
        }),
      };
    },
  });
}

/** The model of `bigram.ts`, of which every probability is known. */
export function bigram(): ScriptedLanguageModel {
  return new ScriptedLanguageModel({
    name: "bigram",
    tokenizer,
    contextLength: CONTEXT_LENGTH,
    next: logitsAfter,
  });
}
