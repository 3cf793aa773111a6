import type { Command } from "commander";
import { ServiceClient } from "../api/index.js";

const STANDARD = "http://127.0.0.1:8321";

/** The option of every command that asks the service. */
export interface ServerOption {
  readonly server?: string;
}

/** Adds it to a command. */
export function addServerOption(command: Command): Command {
  return command.option(
    "--server <url>",
    `address of the service (default: ELENCHUS_SERVER, else ${STANDARD}); its token is in ELENCHUS_TOKEN`,
  );
}

/** A client of the service that the command line or the environment names. @throws USAGE */
export function serviceClientOf({ server }: ServerOption): ServiceClient {
  const { ELENCHUS_SERVER: named, ELENCHUS_TOKEN: token } = process.env;
  return new ServiceClient({
    url: server ?? (named || STANDARD),
    ...(token && { token }),
    timeout: 300_000,
  });
}
