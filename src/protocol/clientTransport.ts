import { NodeWebSocket } from "socket.io-client";

/**
 * socket.io's WebSocket transport for a client, without an allocation per chunk.
 *
 * A client has to mask every byte it sends. The `ws` package does that in a new buffer as long as the message,
 * and a mebibyte for each chunk keeps the garbage collector busier than the masking: 100 MB took 250 ms of
 * processor time, and 170 ms with buffers that are used again. `ws` masks in place whatever it converted to a
 * Buffer itself, and a SharedArrayBuffer is converted without a copy.
 * @param chunkBytes length of the messages to do this for; others go the usual way
 */
export function clientTransport(chunkBytes: number): typeof NodeWebSocket {
  const idle: SharedArrayBuffer[] = [];

  return class ClientTransport extends NodeWebSocket {
    override doWrite(...[packet, data]: Parameters<NodeWebSocket["doWrite"]>): void {
      if (!(data instanceof Uint8Array) || data.length !== chunkBytes) {
        super.doWrite(packet, data);
        return;
      }
      const scratch = idle.pop() ?? new SharedArrayBuffer(chunkBytes);
      new Uint8Array(scratch).set(data);
      this.ws.send(scratch, { compress: false }, () => idle.push(scratch));
    }
  };
}
