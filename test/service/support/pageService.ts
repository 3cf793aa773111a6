import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Started, startElenchus } from "../../support/commandLine.js";

/** `elenchus serve` as a process of its own. */
export interface ServedPage {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the built command on a free port and waits until it listens. @param words more of the command line */
export async function servePage(base: string, words: readonly string[] = []): Promise<ServedPage> {
  mkdirSync(join(base, "results"), { recursive: true });
  const started: Started = startElenchus(["serve", ...words, "--port", "0", "--base", base], base, 600);
  await started.said(/listens on http\S+;/);
  const url = /listens on (http\S+);/.exec(started.stderr())![1]!;
  return {
    url,
    async stop() {
      started.child.kill("SIGTERM");
      await started.finished;
    },
  };
}

/** A model behind an endpoint that takes its time: what the last message says, back again. */
export async function slowEndpoint(milliseconds: number) {
  const server = createServer((_, response) => {
    void (async () => {
      await sleep(milliseconds);
      const message = { role: "assistant", content: "Paris" };
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }] }));
    })();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
