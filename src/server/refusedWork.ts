import { type Reply, refuse } from "../protocol/index.js";
import type { Federation } from "./rounds/federation.js";
import { refusalOf, type WorkRefusal } from "./rounds/refusal.js";

/** What a client's message says of the work it speaks of. */
interface AboutWork {
  readonly round: number;
  readonly client_id: number;
}

/** The refusal of a message about work that is not, or no longer, the sender's; null when it counts. */
export function refuseWork(state: Federation, process: number, message: AboutWork): Reply | null {
  const { round, client_id: client } = message;
  const code = refusalOf(state, { round, client, process });
  return code === null ? null : refuse(code, explain(code, message));
}

function explain(code: WorkRefusal, { round, client_id }: AboutWork): string {
  const what = `Client ${client_id}'s part in round ${round}`;
  if (code === "late") return `${what} is over.`;
  if (code === "duplicate") return `${what} was already reported.`;
  return `${what} is not this process's work.`;
}
