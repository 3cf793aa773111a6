import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import { Readable } from "node:stream";

/** Finds the address that a connection to a host goes to. @throws why there may be none */
export type HostLookup = (host: string) => Promise<{ readonly address: string; readonly family: 4 | 6 }>;

/** Posts, and gives back the answer. As `fetch`, without what is not needed of it. */
export type Post = (
  url: string,
  request: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly signal: AbortSignal;
  },
) => Promise<Response>;

/**
 * Posts to hosts whose addresses are found here, at the time of each connection: a name that was checked cannot mean
 * another machine by then. Redirects are not followed.
 */
export function fetchThrough(lookup: HostLookup): Post {
  const options = {
    keepAlive: true,
    lookup: (host: string, { all }: { all?: boolean }, found: (...given: unknown[]) => void) => {
      lookup(host).then(
        ({ address, family }) => {
          if (all) found(null, [{ address, family }]);
          else found(null, address, family);
        },
        (error) => found(error),
      );
    },
  };
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
            ...headers,
            "content-length": String(bytes.length),
          },
        },
        resolve,
      );
      asked.on("error", reject);
      asked.end(bytes);
    });
    return responseOf(message);
  };
}

function responseOf(message: IncomingMessage): Response {
  const { statusCode = 0 } = message;
  const headers = Object.entries(message.headers).map(
    ([name, value]) => [name, String(value)] as [string, string],
  );
  const bare = statusCode === 204 || statusCode === 205 || statusCode === 304;
  if (bare) message.resume();
  const body = bare ? null : (Readable.toWeb(message) as unknown as ReadableStream<Uint8Array>);
  return new Response(body, { status: statusCode, headers });
}
