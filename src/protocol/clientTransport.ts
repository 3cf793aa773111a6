import { NodeWebSocket } from "engine.io-client";

type SocketOptions = Record<string, unknown> | undefined;

/**
 * socket.io's WebSocket transport for a client, without the work of masking.
 *
 * WebSocket has clients combine every byte they send with a key, so that a script in a browser cannot choose what
 * a proxy on the way reads (RFC 6455, section 10.3). Clients here run no foreign scripts and send weights, and
 * masking 100 MB takes as long as hashing a good part of it, at both ends. Under a key of zeros bytes mask to
 * themselves: the frames stay well-formed, and the `ws` package then copies and changes nothing.
 */
export class ClientTransport extends NodeWebSocket {
  override createSocket(uri: string, protocols: string | string[] | undefined, options: SocketOptions) {
    return super.createSocket(uri, protocols, { ...options, generateMask: (key: Buffer) => key.fill(0) });
  }
}
