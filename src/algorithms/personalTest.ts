import type { Config, EntryFault } from "../config/index.js";

/**
 * Where layers stay with clients, the server's model is nobody's: its test says nothing. It is allowed where evaluators
 * run on clients as well, which ask for a test of the server.
 */
export function requireClientTests({ server, clients, evaluation }: Config): EntryFault[] {
  const tables = [evaluation ?? []].flat() as readonly { on_clients?: unknown }[];
  if (clients.do_test && (!server.do_test || tables.some((table) => table.on_clients === true))) return [];
  const because = "since layers stay with the clients and the server's own model is nobody's";
  if (!clients.do_test) {
    return [{ path: ["clients", "do_test"], expected: `true, ${because}` }];
  }
  const or = "or an [evaluation] with on_clients = true beside it";
  return [{ path: ["server", "do_test"], expected: `false, ${because}; ${or}` }];
}
