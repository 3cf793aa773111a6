import {
  type Limits,
  type ListeningSocket,
  openDoor,
  type PayloadReceiver,
  type RefusalCode,
  TO_SERVER,
} from "../../src/protocol/index.js";

/** A server's door behind which there is nothing but a receiver of payloads. */
export function openTransferDoor(
  socket: ListeningSocket,
  receiver: PayloadReceiver,
  owner: string,
  limits: Limits,
  onRefused: (code: RefusalCode) => void = () => {},
): void {
  openDoor(
    socket,
    TO_SERVER,
    {
      progress: () => {},
      report: () => {},
      chunk: (header, data) => receiver.chunk(owner, header, data),
      transfer_done: (message) => receiver.done(owner, message),
      failed: () => {},
      leave: () => {},
    },
    { reportBytes: limits.report_bytes, onRefused: (_, code) => onRefused(code), onError: () => {} },
  );
}
