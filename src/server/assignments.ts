import { type Clock, ElenchusError, messageOf, sentence } from "../base/index.js";
import type { Config } from "../config/index.js";
import { announce, askOf, type Limits, request, sendPayload } from "../protocol/index.js";
import type { RoundLoop } from "./roundLoop.js";
import type { RoundWork } from "./roundWork.js";
import type { RunMemory } from "./runMemory.js";
import type { Session } from "./sessions.js";

export interface AssignmentsOptions {
  readonly loop: () => RoundLoop;
  readonly config: Config;
  readonly limits: Limits;
  readonly memory: RunMemory;
  readonly clock: Clock;
  /** Ends a session whose process does not answer. */
  readonly hang: (session: Session, reason: string) => void;
}

/** Gives a member's work to a session: the assignment, then the global weights. Never rejects. */
export type Assign = (session: Session, work: RoundWork, client: number) => Promise<void>;

export function createAssign(options: AssignmentsOptions): Assign {
  const { config, limits, memory, clock } = options;

  const send = async (session: Session, work: RoundWork, client: number, signal: AbortSignal) => {
    const { round } = work;
    const at = clock.monotonic();
    const payload = await work.payload;
    const transfer = announce(payload);
    const ask = askOf(session.socket!);
    const { do_test, test_interval } = config.clients;
    const reply = await request(
      ask,
      "assign",
      {
        round,
        starting_round: round,
        client_id: client,
        test: do_test && round % test_interval === 0,
        ...(memory.lastRounds && { last_round: memory.lastRounds.get(client) ?? null }),
        transfer,
      },
      { milliseconds: limits.payload_seconds * 1000 },
    );
    if (!reply.ok) {
      // The client came back with the work it had before.
      if (reply.code === "duplicate") return;
      throw new ElenchusError(
        "PROTOCOL_VIOLATION",
        `The work was refused [${reply.code}]: ${sentence(reply.message)}`,
      );
    }
    const entry = { at, bytes: payload.bytes, downloadSeconds: 0 };
    work.assigned.set(client, entry);
    await sendPayload(ask, payload, transfer, { limits, signal });
    entry.downloadSeconds = (clock.monotonic() - at) / 1000;
    memory.payloadBytes += payload.bytes;
  };

  return async (session, work, client) => {
    const { socket, process } = session;
    // A process that is away is told when it is back.
    if (socket === null) return;
    session.sending?.abort();
    const controller = new AbortController();
    session.sending = controller;
    try {
      await send(session, work, client, controller.signal);
    } catch (error) {
      if (controller.signal.aborted || session.socket !== socket) return;
      const code = error instanceof ElenchusError ? error.code : "INTERNAL";
      if (code === "CONNECTION_LOST") return;
      if (code === "DEADLINE_EXCEEDED") {
        options.hang(session, messageOf(error));
        return;
      }
      const { round } = work;
      const message = messageOf(error);
      options.loop().dispatch({ kind: "client_failed", round, client, process, code, message, retry: true });
    } finally {
      if (session.sending === controller) session.sending = null;
    }
  };
}
