import { sampleFault } from "../algorithms/index.js";
import { type Clock, type Logger, messageOf, sentence } from "../base/index.js";
import type { Config } from "../config/index.js";
import type { Pipeline } from "../processors/index.js";
import {
  ACCEPTED,
  type PayloadReceiver,
  type PayloadStore,
  type ReceivedPayload,
  type RefusalCode,
  type Reply,
  type Report,
  refuse,
} from "../protocol/index.js";
import type { ScalarMetric } from "../trainers/index.js";
import { clientTimes } from "./clientTimes.js";
import { checkReceived } from "./receivedUpdate.js";
import { refuseWork } from "./refusedWork.js";
import type { RoundLoop } from "./roundLoop.js";
import type { RoundWork } from "./roundWork.js";
import type { RunMemory } from "./runMemory.js";
import type { ServerEvent } from "./serverEvents.js";
import type { Session } from "./sessions.js";

/** Takes the members' reports and updates. */
export interface Uploads {
  /** A member announces its update. */
  report(session: Session, report: Report): Reply;
  /** Gives up what a session is sending, without blaming the member. */
  interrupt(session: Session, reason: string): void;
}

export interface UploadsOptions {
  readonly config: Config;
  readonly loop: () => RoundLoop;
  readonly work: () => RoundWork | null;
  readonly memory: RunMemory;
  readonly receiver: PayloadReceiver;
  /** Where updates wait, once their processors are undone. */
  readonly store: PayloadStore;
  /** What clients have done with their updates. */
  readonly pipeline: Pipeline;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tell: (event: ServerEvent) => void;
}

/** An update on its way. */
interface Upload {
  readonly session: Session;
  readonly report: Report;
  readonly work: RoundWork;
  readonly startedAt: number;
  superseded: boolean;
}

/**
 * Refusals after which the same work, done again by another process, could be accepted. Too large and out of range too:
 * clients of ours know the limits and announce no more, so whoever does is none of them.
 */
const WORTH_A_RETRY: ReadonlySet<RefusalCode> = new Set([
  "corrupt",
  "out_of_order",
  "expired",
  "internal",
  "too_large",
  "out_of_range",
]);

export function createUploads(options: UploadsOptions): Uploads {
  const { config, loop, work, memory, receiver, store, pipeline, clock, logger, tell } = options;
  const policy = config.server.non_finite_updates;
  const underway = new Map<Session, Upload>();

  const refusal = (session: Session, report: Report) => refuseWork(loop().state, session.process, report);
  const fail = ({ session, report }: Upload, code: RefusalCode, message: string) => {
    const { round, client_id: client } = report;
    loop().dispatch({
      kind: "client_failed",
      round,
      client,
      process: session.process,
      code: code === "not_finite" || code === "wrong_layout" ? "WEIGHTS_INVALID" : "PAYLOAD_INVALID",
      message,
      retry: WORTH_A_RETRY.has(code),
    });
  };
  const interrupt = (session: Session, reason: string) => {
    const upload = underway.get(session);
    if (upload === undefined) return;
    upload.superseded = true;
    underway.delete(session);
    receiver.drop(session.id, "expired", reason);
  };

  const accept = async (upload: Upload, payload: ReceivedPayload): Promise<Reply> => {
    const { session, report, work: round } = upload;
    const early = refusal(session, report);
    if (early !== null) return early;
    const reference = await round.reference;
    const expected = round.contents;
    const checked = await checkReceived(payload, { pipeline, reference, store, expected, policy });
    // The round may have closed while the update was read.
    const late = refusal(session, report);
    if (late !== null) {
      if (checked.good) await checked.source.discard();
      return late;
    }
    if (!checked.good) {
      fail(upload, checked.code, checked.message);
      return refuse(checked.code, checked.message);
    }
    if (!checked.finite) {
      logger.warn(
        `Client ${report.client_id} sent weights that are not finite in round ${report.round}; they count as 0 (server.non_finite_updates = "zero").`,
      );
    }
    round.fold.accept({
      clientId: report.client_id,
      numSamples: report.num_samples,
      staleness: 0,
      weights: checked.source,
      scalars: checked.scalars,
    });
    keep(upload, payload.bytes);
    loop().dispatch({
      kind: "update_received",
      round: report.round,
      client: report.client_id,
      process: session.process,
    });
    return ACCEPTED;
  };
  const keep = ({ report, work: round, startedAt }: Upload, bytes: number) => {
    const now = clock.monotonic();
    const nothing = { at: now, bytes: 0, downloadSeconds: 0 };
    const { at, bytes: bytesDown, downloadSeconds } = round.assigned.get(report.client_id) ?? nothing;
    const times = clientTimes(config, {
      trainingTime: report.training_time,
      processingTime: report.processing_time ?? 0,
      bytesDown,
      bytesUp: bytes,
      members: round.members,
      measuredComm: downloadSeconds + (now - startedAt) / 1000,
      measuredTotal: (now - at) / 1000,
    });
    round.results.set(report.client_id, {
      clientId: report.client_id,
      numSamples: report.num_samples,
      trainLoss: report.train_loss,
      scalar: scalarOf(report),
      evaluations: report.evaluations,
      trainingTime: report.training_time,
      ...times,
    });
    memory.payloadBytes += bytes;
    tell({
      kind: "update_received",
      round: report.round,
      client: report.client_id,
      samples: report.num_samples,
      trainLoss: report.train_loss,
      trainingTime: report.training_time,
    });
  };

  return {
    interrupt,
    report(session, report) {
      const refused = refusal(session, report);
      if (refused !== null) return refused;
      interrupt(session, "A newer report took its place.");
      // Work in `collecting` is always there; the round that has none takes no reports.
      const upload: Upload = {
        session,
        report,
        work: work()!,
        startedAt: clock.monotonic(),
        superseded: false,
      };
      const fault = sampleFault(report.client_id, report.num_samples, config);
      if (fault !== null) {
        fail(upload, "out_of_range", fault);
        return refuse("out_of_range", fault);
      }
      const reply = receiver.open(session.id, report.transfer, {
        async accept(payload) {
          try {
            return await accept(upload, payload);
          } catch (error) {
            // Else the member would be waited for until the round's deadline.
            const message = `The update could not be worked on: ${sentence(messageOf(error))}`;
            if (!upload.superseded) fail(upload, "internal", message);
            throw error;
          } finally {
            if (underway.get(session) === upload) underway.delete(session);
          }
        },
        lost(code, message) {
          if (underway.get(session) === upload) underway.delete(session);
          if (!upload.superseded) fail(upload, code, message);
        },
      });
      if (reply.ok) underway.set(session, upload);
      else if (reply.code === "too_large") fail(upload, reply.code, reply.message);
      return reply;
    },
  };
}

function scalarOf({ scalar }: Report): ScalarMetric | null {
  if (scalar === null || scalar.value === null) return null;
  return { name: scalar.name, value: scalar.value, higherIsBetter: scalar.higher_is_better };
}
