import { type ChildProcess, fork } from "node:child_process";
import { createInterface } from "node:readline";
import type { z } from "zod";
import { ElenchusError, entryFile, type Logger, type LogLevel, nodeArguments } from "../base/index.js";
import { type FromWorker, fromWorker, type ToWorker } from "./workerMessages.js";

/** Lines of a worker's output that an error quotes. */
const LINES_KEPT = 20;
/** Characters of such a line. */
const LINE_LENGTH = 400;
/** Milliseconds from a worker's exit until its pipes are taken as empty, should something hold them open. */
const DRAIN = 1000;

/** How a worker ended. */
export interface WorkerDeath {
  /** Exit code, or null when a signal ended it. */
  code: number | null;
  signal: string | null;
  /** Its last lines of output. */
  lines: readonly string[];
}

/** A message of either side. */
export interface WorkerMessage {
  readonly kind: string;
}

/** What runs in a child process, and what it may say. */
export interface WorkerProgram<From extends WorkerMessage> {
  readonly entry: URL;
  readonly messages: z.ZodType<From>;
}

/** Trains and tests. */
const TRAINER: WorkerProgram<FromWorker> = {
  entry: entryFile(import.meta.url, "./workerMain"),
  messages: fromWorker,
};

/**
 * A child process and its message channel. Everything it has said is delivered before its death is: an
 * exit is announced only when channel and pipes have run dry.
 */
export class WorkerProcess<To extends WorkerMessage = ToWorker, From extends WorkerMessage = FromWorker> {
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  readonly #gone: Promise<void>;
  #death: WorkerDeath | undefined;
  #killed = false;
  readonly #messages: z.ZodType<From>;
  #onMessage: (message: From) => void = () => {};
  #onDeath: (death: WorkerDeath) => void = () => {};

  /**
   * Starts it. Lines it prints go to the log.
   * @param name whose worker it is, put before each of those lines
   * @param program default: the one that trains and tests
   */
  constructor(
    private readonly name: string,
    private readonly logger: Logger,
    program: WorkerProgram<From> = TRAINER as unknown as WorkerProgram<From>,
  ) {
    this.#messages = program.messages;
    this.#child = fork(program.entry, [], {
      execArgv: nodeArguments(),
      serialization: "advanced",
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    const drained = [this.#readLines("stdout"), this.#readLines("stderr"), this.#readMessages()];
    let settleGone = () => {};
    this.#gone = new Promise((settle) => {
      settleGone = settle;
    });
    const finish = (code: number | null, signal: string | null) => {
      const limit = new Promise((settle) => setTimeout(settle, DRAIN).unref());
      void Promise.race([Promise.all(drained), limit]).then(() => {
        if (this.#death) return;
        this.#death = { code, signal, lines: [...this.#lines] };
        this.#onDeath(this.#death);
        settleGone();
      });
    };
    this.#child.once("exit", finish);
    // Emitted instead of "exit" when the process could not be started.
    this.#child.on("error", (error) => {
      this.#keep(error.message);
      if (this.#child.pid === undefined) finish(null, null);
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get death(): WorkerDeath | undefined {
    return this.#death;
  }

  /** False from the moment at which nothing more can be asked of it, which is before its death is known. */
  get usable(): boolean {
    return !this.#death && !this.#killed && this.#child.connected;
  }

  /** Resolves when the process is gone. */
  get gone(): Promise<void> {
    return this.#gone;
  }

  /** Sets who hears of messages and of the end; of an end that has already been, at once. */
  listen(onMessage: (message: From) => void, onDeath: (death: WorkerDeath) => void): void {
    this.#onMessage = onMessage;
    this.#onDeath = onDeath;
    if (this.#death) onDeath(this.#death);
  }

  /** @throws INTERNAL when the message cannot be cloned; a closed channel is no error, the death follows */
  send(message: To): void {
    if (!this.#child.connected) return;
    try {
      this.#child.send(message, () => {});
    } catch (error) {
      throw new ElenchusError("INTERNAL", `A task cannot be sent to the worker: ${String(error)}.`, {
        cause: error,
      });
    }
  }

  /** Ends the process at once. */
  kill(): void {
    this.#killed = true;
    this.#child.kill("SIGKILL");
  }

  /** Asks the process to go by closing its channel, and ends it after `seconds`. Resolves when it is gone. */
  async close(seconds: number): Promise<void> {
    const timer = setTimeout(() => this.kill(), seconds * 1000);
    if (this.#child.connected) this.#child.disconnect();
    await this.#gone;
    clearTimeout(timer);
  }

  #readMessages(): Promise<void> {
    this.#child.on("message", (raw) => {
      const parsed = this.#messages.safeParse(raw);
      if (parsed.success && parsed.data.kind === "log") this.#log(parsed.data as unknown as LogMessage);
      else if (parsed.success) this.#onMessage(parsed.data);
      else {
        this.#keep(`a message that is not understood: ${parsed.error.message}`);
        this.kill();
      }
    });
    return new Promise((settle) => this.#child.once("disconnect", settle));
  }

  #readLines(channel: "stdout" | "stderr"): Promise<void> {
    const stream = this.#child[channel];
    if (!stream) return Promise.resolve();
    return new Promise((settle) => {
      createInterface({ input: stream })
        .on("line", (line) => {
          this.#keep(line);
          this.logger.info(`[${this.name}] ${line}`);
        })
        .once("close", settle);
    });
  }

  #log({ level, message }: LogMessage): void {
    if (level !== "silent") this.logger[level](message);
  }

  #keep(line: string): void {
    this.#lines.push(line.slice(0, LINE_LENGTH));
    if (this.#lines.length > LINES_KEPT) this.#lines.shift();
  }
}

interface LogMessage {
  readonly level: LogLevel;
  readonly message: string;
}

/** Says how a worker ended, with its last words. */
export function describeDeath({ code, signal, lines }: WorkerDeath): string {
  const how =
    signal !== null ? `by signal ${signal}` : code !== null ? `with exit code ${code}` : "unstarted";
  const words = lines.length > 0 ? ` Its last output:\n${lines.join("\n")}` : " It printed nothing.";
  return `${how}.${words}`;
}
