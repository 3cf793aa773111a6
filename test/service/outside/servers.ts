import type { TestProject } from "vitest/node";
import { startPostgres } from "../../support/postgres.js";
import { startRedis } from "../../support/redis.js";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
    redisUrl: string;
  }
}

/** One PostgreSQL and one Redis for all tests that need them. A missing program fails the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  const redis = await startRedis().catch(async (error: unknown) => {
    await postgres.stop();
    throw error;
  });
  project.provide("postgresUrl", postgres.url);
  project.provide("redisUrl", redis.url);
  return async () => {
    await redis.stop();
    await postgres.stop();
  };
}
