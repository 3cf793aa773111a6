import type { AddressInfo } from "node:net";
import { ElenchusError, isLoopback, messageOf } from "../../base/index.js";
import { createApp } from "./createApp.js";
import type { ServiceContext } from "./serviceContext.js";

/** A service that listens. */
export interface RunningService {
  /** For example `http://127.0.0.1:8321`. */
  readonly url: string;
  /** Ends what is under way, and takes no more. Once is enough. */
  close(): Promise<void>;
}

/** How long requests may take to end when the service stops, in milliseconds. */
const ENDING = 5_000;

/**
 * Listens.
 * @throws CONFIG_CONFLICT for an address that others can reach without tokens; PORT_UNAVAILABLE
 */
export async function startService(context: ServiceContext, page?: string): Promise<RunningService> {
  const { address, port } = context.settings.service;
  if (context.tokens.size === 0 && !isLoopback(address)) {
    throw new ElenchusError(
      "CONFIG_CONFLICT",
      `service.address is ${address}, which other machines can reach, and there are no service.tokens: whoever reached it could do everything. Give it tokens, or listen on 127.0.0.1.`,
    );
  }
  const stop = new AbortController();
  const app = await createApp(context, { stopping: stop.signal, page });
  try {
    await app.listen({ host: address, port });
  } catch (error) {
    await app.close();
    throw new ElenchusError(
      "PORT_UNAVAILABLE",
      `The service cannot listen on ${address}, port ${port}: ${messageOf(error)}. Choose another with service.port; 0 takes any free one.`,
      { cause: error },
    );
  }
  const { port: actual } = app.server.address() as AddressInfo;
  const host = address.includes(":") ? `[${address}]` : address;
  let closing: Promise<void> | undefined;
  return {
    url: `http://${host}:${actual}`,
    close() {
      closing ??= (async () => {
        stop.abort(new ElenchusError("INTERRUPTED", "The service is stopping. Ask again when it is back."));
        const last = setTimeout(() => app.server.closeAllConnections(), ENDING);
        await app.close();
        clearTimeout(last);
      })();
      return closing;
    },
  };
}
