import { type Command, InvalidArgumentError } from "commander";
import { createLogger, ElenchusError, systemClock } from "../../base/index.js";
import {
  type ClientSummary,
  clientSamples,
  fileStateStores,
  serverTrust,
  startClient,
} from "../../client/index.js";
import type { Config } from "../../config/index.js";
import { createTrainerHost } from "../../trainers/index.js";
import type { CommonOptions } from "../commonOptions.js";
import { wholeNumber } from "../commonOptions.js";
import { missingToken } from "../federation.js";
import type { Output } from "../output.js";
import { prepareConfig } from "../preparedRun.js";
import { signalStatus, stoppable } from "../signals.js";

interface ClientCommandOptions {
  id: number;
  server?: string;
}

/** `elenchus client CONFIG --id N`: one client process, here or on another machine than the server. */
export function addClientCommand(program: Command, output: Output, setExit: (status: number) => void): void {
  program
    .command("client")
    .description("run one client process; it may start before the server")
    .argument("<config>", "TOML file; needs server.token")
    .requiredOption(
      "--id <n>",
      "number of this process, from 1; the logical client with server.disable_clients",
      clientId,
    )
    .option("--server <url>", "where the server listens (default: server.address and server.port)")
    .action(async (path: string, own: ClientCommandOptions) => {
      const options = program.opts<CommonOptions>();
      const logger = createLogger(options.log, (line, level) =>
        output.stderr(level === "info" ? `${line}\n` : `${level}: ${line}\n`),
      );
      const request = { ...options, config: path, load: options.import };
      const { config, paths } = await prepareConfig(request, logger);
      const token = config.server.token;
      if (token === undefined) throw missingToken();
      requireLogicalClient(config, own.id);
      const trust = await serverTrust(config);

      const where = config.trainer.max_concurrency === undefined ? "process" : "worker";
      const host = await createTrainerHost({
        config,
        imports: options.import,
        role: "client",
        where,
        logger,
        clock: systemClock,
      });
      const { value: summary, received } = await stoppable(async (stop) => {
        try {
          const client = startClient({
            config,
            url: own.server ?? serverUrl(config),
            token,
            trust,
            processId: own.id,
            host,
            logger,
            clock: systemClock,
            stateStoreOf: fileStateStores(paths.checkpoints, logger),
            samplesFolderOf: clientSamples(config),
            signal: stop.signal,
          });
          return await client.done;
        } finally {
          await host.close();
        }
      });
      if (options.json) output.stdout(`${JSON.stringify(documentOf(summary))}\n`);
      else {
        output.stdout(
          `client ${own.id}: ${summary.status} (${summary.reason}), trained ${summary.trained} times\n`,
        );
      }
      const { error } = summary;
      if (error !== null) output.stderr(`error [${error.code}]: ${error.message}\n`);
      if (received !== null) setExit(signalStatus(received));
      else if (summary.status !== "completed") setExit(1);
    });
}

/** The document of `run --json`, as far as a client knows the run: its record is on the server's machine. */
function documentOf({ runId, status, rounds, lastRow }: ClientSummary) {
  return { run_id: runId, status, rounds, csv: null, last_row: lastRow };
}

function serverUrl({ server }: Config): string {
  if (server.port === 0) {
    throw new ElenchusError(
      "USAGE",
      "server.port = 0 lets the server take any free port, so a client cannot know it: set server.port, or give --server URL.",
    );
  }
  const host = server.address === "0.0.0.0" || server.address === "::" ? "127.0.0.1" : server.address;
  const scheme = (server.use_https ?? server.tls_cert !== undefined) ? "https" : "http";
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${server.port}`;
}

function requireLogicalClient({ server, clients }: Config, id: number): void {
  if (!server.disable_clients || id <= clients.total_clients) return;
  throw new ElenchusError(
    "USAGE",
    `--id ${id} is no logical client: with server.disable_clients = true expected 1 to clients.total_clients = ${clients.total_clients}.`,
  );
}

function clientId(value: string): number {
  const id = wholeNumber(value);
  if (id < 1) throw new InvalidArgumentError(`expected a whole number from 1, found ${value}.`);
  return id;
}
