import type { Command } from "commander";
import { createLogger, loadModules } from "../../base/index.js";
import { readServiceConfig, renderIssues } from "../../config/index.js";
import { openContext } from "../../service/openContext.js";
import { startJobs } from "../../service/startJobs.js";
import { type CommonOptions, wholeNumber } from "../commonOptions.js";
import type { Output } from "../output.js";
import { signalStatus, stoppable } from "../signals.js";

interface OwnOptions {
  database?: string;
  queue?: string;
  concurrency?: number;
}

/** `elenchus worker [CONFIG]`: does the jobs of a service until it is stopped. */
export function addWorkerCommand(program: Command, output: Output, setExit: (status: number) => void): void {
  program
    .command("worker")
    .description("do the jobs of a service, on this or another machine, until stopped")
    .argument("[config]", "TOML file with [service]; default: --database, --queue and --set alone")
    .option("--database <url>", "PostgreSQL of the service (service.database)")
    .option("--queue <url>", "Redis of the service (service.queue)")
    .option("--concurrency <n>", "most jobs at once (service.concurrency, at least 1)", wholeNumber)
    .action(async (config: string | undefined, own: OwnOptions) => {
      const options = program.opts<CommonOptions>();
      const logger = createLogger(options.log, (line, level) =>
        output.stderr(level === "info" ? `${line}\n` : `${level}: ${line}\n`),
      );
      const { settings, warnings } = readServiceConfig(config, {
        ...options,
        set: [...options.set, ...overrides(own)],
      });
      if (warnings.length > 0) logger.warn(renderIssues(warnings));
      await loadModules(options.import);
      const { received } = await stoppable(async (stop) => {
        const context = await openContext(settings, { environment: process.env, logger });
        try {
          const jobs = await startJobs(context, {
            environment: process.env,
            concurrency: Math.max(1, settings.service.concurrency),
          });
          try {
            logger.info(
              `${jobs.workerName}: takes jobs; data in ${context.storage.place}, queue ${jobs.queuePlace}`,
            );
            await aborted(stop.signal);
          } finally {
            await jobs.close();
          }
        } finally {
          await context.close();
        }
      });
      if (received !== null) setExit(signalStatus(received));
    });
}

function overrides({ database, queue, concurrency }: OwnOptions): string[] {
  return Object.entries({ database, queue, concurrency }).flatMap(([key, value]) =>
    value === undefined ? [] : [`service.${key}=${JSON.stringify(value)}`],
  );
}

/** Resolves when the signal aborts. Holds the process: timers of a worker that waits do not. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const hold = setInterval(() => {}, 60_000);
    const end = () => {
      clearInterval(hold);
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
