import type { Command } from "commander";
import { createLogger, loadModules } from "../../base/index.js";
import { readServiceConfig, renderIssues } from "../../config/index.js";
import { type CommonOptions, wholeNumber } from "../commonOptions.js";
import type { Output } from "../output.js";
import { signalStatus, stoppable } from "../signals.js";
import { untilAborted } from "../untilAborted.js";

interface ServeOptions {
  readonly host?: string;
  readonly port?: number;
}

/** `elenchus serve [CONFIG]`: the HTTP service, its page and its jobs, until it is stopped. */
export function addServeCommand(program: Command, output: Output, setExit: (status: number) => void): void {
  program
    .command("serve")
    .description("serve datasets, scorers, evaluation tasks, models and runs over HTTP, until stopped")
    .argument(
      "[config]",
      "TOML with [service], or the configuration of a run (default: none, this machine only)",
    )
    .option("--host <address>", "address to listen on (overrides service.address)")
    .option("--port <n>", "port to listen on; 0 takes any free one (overrides service.port)", wholeNumber)
    .action(async (config: string | undefined, own: ServeOptions) => {
      const options = program.opts<CommonOptions>();
      const logger = createLogger(options.log, (line, level) =>
        output.stderr(level === "info" ? `${line}\n` : `${level}: ${line}\n`),
      );
      const set = [
        ...options.set,
        ...(own.host === undefined ? [] : [`service.address=${JSON.stringify(own.host)}`]),
        ...(own.port === undefined ? [] : [`service.port=${own.port}`]),
      ];
      const { settings, warnings } = readServiceConfig(config, { ...options, set, listens: true });
      if (warnings.length > 0) logger.warn(renderIssues(warnings));
      await loadModules(options.import);
      // Only here: no other command need load the service.
      const { openContext, serviceContext, startJobs, startService } = await import("../../service/index.js");
      const environment = process.env;
      const { received } = await stoppable(
        async ({ signal }) => {
          const context = await openContext(settings, { environment, logger });
          try {
            const jobs = await startJobs(context, { environment });
            try {
              const service = await startService(serviceContext(context, jobs));
              try {
                logger.info(`Elenchus listens on ${service.url}; its routes are at ${service.url}/docs`);
                if (options.json)
                  output.stdout(`${JSON.stringify({ url: service.url })}
`);
                await untilAborted(signal);
              } finally {
                await service.close();
              }
            } finally {
              await jobs.close();
            }
          } finally {
            await context.close();
          }
        },
        (signal) => logger.info(`${signal}: ending what is under way; a second one ends it at once`),
      );
      if (received !== null) setExit(signalStatus(received));
    });
}
