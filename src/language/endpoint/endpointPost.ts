import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";

/** Finds the address that a connection to a host goes to. @throws why there may be none */
export type HostLookup = (host: string) => Promise<{ readonly address: string; readonly family: 4 | 6 }>;

/** An answer whose body has yet to come. */
export interface Answer {
  readonly status: number;
  /** Undefined for one that did not come. */
  header(name: string): string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
  /** Reads no more of it. */
  leave(): void;
}

/** Posts, and gives back the answer. */
export type Post = (
  url: string,
  request: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly signal: AbortSignal;
  },
) => Promise<Answer>;

/** Milliseconds that a connection is kept for the next request. Some servers never close theirs. */
const IDLE = 4_000;

/**
 * Posts over connections that are kept, following no redirect: a redirect could take the request to another host. Node's
 * own client takes less than half the processor time of `fetch` for a small answer, which counts where thousands are asked.
 * @param lookup finds the address of each connection, so that a name that was checked cannot mean another machine by then
 * @param idle milliseconds after which a connection that nobody uses is closed; answers may take longer
 */
export function endpointPost(lookup: HostLookup | undefined, idle = IDLE): Post {
  // Node ends a socket that was idle so long, and only tells of one in use, which nobody listens to.
  const options = { keepAlive: true, timeout: idle, ...(lookup && { lookup: lookedUpBy(lookup) }) };
  const agents = { plain: new PlainAgent(options as object), secure: new SecureAgent(options as object) };
  return async (address, { headers, body, signal }) => {
    const url = new URL(address);
    const secure = url.protocol === "https:";
    const bytes = Buffer.from(body);
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const asked = (secure ? secureRequest : plainRequest)(
        url,
        {
          method: "POST",
          agent: secure ? agents.secure : agents.plain,
          signal,
          headers: {
            accept: "*/*",
            "accept-encoding": "identity",
            "user-agent": "elenchus",
            ...headers,
            "content-length": String(bytes.length),
          },
        },
        resolve,
      );
      asked.on("error", reject);
      asked.end(bytes);
    });
    return {
      status: message.statusCode ?? 0,
      header(name) {
        const value = message.headers[name];
        return Array.isArray(value) ? value.join(", ") : value;
      },
      body: message,
      leave() {
        if (!message.complete) message.destroy();
      },
    };
  };
}

/** As sockets want it. */
function lookedUpBy(lookup: HostLookup) {
  return (host: string, { all }: { all?: boolean }, found: (...given: unknown[]) => void) => {
    lookup(host).then(
      ({ address, family }) => {
        if (all) found(null, [{ address, family }]);
        else found(null, address, family);
      },
      (error) => found(error),
    );
  };
}
