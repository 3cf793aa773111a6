export { type AnswerableSocket, type Ask, askOf, request } from "./ask.js";
export { ConnectionRefusal, readHandshake, refusalOf } from "./connecting.js";
export { type DoorOptions, type Handlers, type ListeningSocket, openDoor } from "./door.js";
export {
  type Acknowledge,
  type ClientToServerEvents,
  type InterServerEvents,
  type Messages,
  type ServerToClientEvents,
  type SocketData,
  TO_CLIENT,
  TO_SERVER,
} from "./events.js";
export { type LimitSettings, type Limits, limitsOf } from "./limits.js";
export {
  type ClientEvaluation,
  type ClientMetric,
  LONGEST_NAME,
  MOST_EVALUATIONS,
  MOST_METRICS,
} from "./messages/clientEvaluation.js";
export { cutText } from "./messages/fields.js";
export {
  type ConnectRefusal,
  connectRefusalSchema,
  type Handshake,
  handshakeSchema,
  PROTOCOL_VERSION,
  type Welcome,
} from "./messages/handshake.js";
export { ACCEPTED, type Reply, refuse, replySchema } from "./messages/reply.js";
export type { Assign, End, Withdraw } from "./messages/toClient.js";
export type { Failed, Leave, Progress, Report } from "./messages/toServer.js";
export type { ChunkHeader, Transfer, TransferDone } from "./messages/transfer.js";
export { type CertificateFile, readCertificates, readPem, tlsInvalid } from "./pem.js";
export {
  createRefusalCounter,
  REFUSAL_CODES,
  REFUSALS,
  type RefusalCode,
  type RefusalCounter,
} from "./refusals.js";
export {
  clientSocketOptions,
  dropRequest,
  type HeartbeatSettings,
  type ServerTrust,
  serverSocketOptions,
} from "./socketOptions.js";
export { announce, type Payload, preparePayload } from "./transfer/payload.js";
export type { PayloadSink, ReceivedPayload } from "./transfer/payloadSink.js";
export { createPayloadStore, type PayloadStore, type PayloadStoreOptions } from "./transfer/payloadStore.js";
export {
  createPayloadReceiver,
  type Expectation,
  type PayloadReceiver,
  type ReceiverOptions,
} from "./transfer/receiver.js";
export { type SendOptions, sendPayload } from "./transfer/sendPayload.js";
