import type { Config } from "../config/index.js";

/** What is known of one accepted update. */
export interface UpdateFacts {
  /** Seconds, as reported. */
  readonly trainingTime: number;
  /** Seconds of processors, as reported. */
  readonly processingTime: number;
  /** Of the global weights on their way to the client, and of its update. */
  readonly bytesDown: number;
  readonly bytesUp: number;
  /** Of the round, who share the server's bandwidth. */
  readonly members: number;
  /** Seconds on the server's clock in which the weights travelled, both ways. */
  readonly measuredComm: number;
  /** Seconds on the server's clock from the assignment to the accepted update. */
  readonly measuredTotal: number;
}

/** Seconds that a client's part in a round took. */
export interface ClientTimes {
  readonly commTime: number;
  readonly totalTime: number;
}

/**
 * How long a client's part took: as measured, or as the configuration simulates it. With `server.simulate_wall_time` it
 * is training, processors and communication, as if every member had a machine of its own; with
 * `clients.sleep_simulation` nothing measured is in it, so that equal seeds give equal times.
 */
export function clientTimes({ clients, server }: Config, facts: UpdateFacts): ClientTimes {
  const { trainingTime, measuredComm, measuredTotal } = facts;
  const model = clients.compute_comm_time ? modelledComm(server, facts) : undefined;
  if (!server.simulate_wall_time) return { commTime: model ?? measuredComm, totalTime: measuredTotal };
  const isSimulated = clients.speed_simulation && clients.sleep_simulation;
  const processing = isSimulated ? 0 : facts.processingTime;
  const commTime = model ?? 0;
  return { commTime, totalTime: trainingTime + processing + commTime };
}

const MEGABYTE = 2 ** 20;

/** Plato's model: a megabit of bandwidth carries an eighth of 2^20 bytes, and members share it evenly. */
function modelledComm(
  { downlink_bandwidth: down, uplink_bandwidth: up }: Config["server"],
  { bytesDown, bytesUp, members }: UpdateFacts,
): number {
  const seconds = (bytes: number, bandwidth: number) => bytes / MEGABYTE / (bandwidth / 8 / members);
  return seconds(bytesDown, down) + seconds(bytesUp, up);
}
