import { readEvents, type ServerEvent } from "../../api/client/serverEvents.js";
import { request, ServiceProblem } from "./ask.js";

/** Waits before asking again, in milliseconds: the first, and the longest. */
const [FIRST_WAIT, LONGEST_WAIT] = [1_000, 15_000];
/** A stream beats every 15 seconds; one that is silent for so long has died unnoticed. */
const SILENCE = 45_000;

/**
 * The events of a stream until its `end`, through broken connections: each time it goes on behind the last event that
 * came. The browser's own reader of events is not used since it can send no token.
 * @throws ServiceProblem for what asking again would not mend
 */
export async function* follow(
  path: string,
  { from, signal }: { from?: number | undefined; signal: AbortSignal },
): AsyncGenerator<ServerEvent, void, void> {
  let last: string | undefined;
  let wait = FIRST_WAIT;
  while (!signal.aborted) {
    const silent = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), SILENCE);
    };
    try {
      heard();
      const response = await request(path, {
        query: { from },
        headers: last === undefined ? {} : { "last-event-id": last },
        signal: AbortSignal.any([signal, silent.signal]),
        deadline: 0,
      });
      for await (const event of readEvents(piecesOf(response), heard)) {
        wait = FIRST_WAIT;
        if (event.id !== undefined) last = event.id;
        if (event.event === "error") throw toldProblem(event.data);
        yield event;
        if (event.event === "end") return;
      }
    } catch (error) {
      const lasting = error instanceof ServiceProblem && error.status >= 400 && error.status < 500;
      if (signal.aborted || lasting) throw error;
    } finally {
      clearTimeout(timer);
    }
    await pause(wait, signal);
    wait = Math.min(LONGEST_WAIT, wait * 2);
  }
}

/** Not every browser can walk over a body as it is. */
async function* piecesOf(response: Response): AsyncGenerator<Uint8Array, void, void> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function toldProblem(data: string): ServiceProblem {
  const { error } = JSON.parse(data) as { error: { code: string; message: string } };
  return new ServiceProblem(error.code, error.message, [], 400);
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}
