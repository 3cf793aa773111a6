import type { Config } from "../config/index.js";
import { type Ending, type Federation, newFederation, type Rules } from "./rounds/federation.js";
import type { ServerOptions } from "./serverOptions.js";

/** Where the run begins: at its first round, after a checkpoint's, or at its end when nothing is left to do. */
export function startingPoint({ config, launched, resume }: ServerOptions): Federation {
  const first = config.general.evaluate_round_zero ? 0 : 1;
  const fresh = newFederation(rulesOf(config, launched), resume === undefined ? first : resume.round + 1);
  if (resume === undefined) return fresh;
  if (resume.clocks.completed !== 1 && resume.round < config.trainer.rounds) return fresh;
  const ending: Ending = { status: "completed", reason: "the run was already complete", error: null };
  return { ...fresh, stage: { phase: "closed", round: resume.round, ending } };
}

/** Client processes for which the first round waits. */
export function awaitedProcesses(config: Config, launched: number | undefined): number {
  const { per_round: perRound } = config.clients;
  const expected = config.server.disable_clients ? perRound : (config.trainer.max_concurrency ?? perRound);
  return Math.min(launched ?? expected, perRound);
}

function rulesOf(config: Config, launched: number | undefined): Rules {
  return {
    totalClients: config.clients.total_clients,
    perRound: config.clients.per_round,
    quorum: config.server.minimum_clients_aggregated,
    awaited: awaitedProcesses(config, launched),
    identities: config.server.disable_clients ? "fixed" : "simulated",
    debug: config.general.debug,
  };
}
