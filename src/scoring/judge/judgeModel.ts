/** A turn of the conversation that a judge is asked. */
export interface JudgeMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** How a judge is to answer. */
export interface JudgeOptions {
  /** 0: the most likely answer. */
  readonly temperature: number;
  /** The most tokens of the answer. */
  readonly maxTokens: number;
  /** Another seed is another attempt. */
  readonly seed: number;
}

/** An answer, and what it cost where that is known. */
export interface JudgeAnswer {
  readonly text: string;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** Whether it was kept from an earlier scoring, and cost nothing now. */
  readonly kept?: boolean | undefined;
}

/** Asks a model. It tries again by itself what may pass. @throws why there is no answer */
export type AskJudge = (
  messages: readonly JudgeMessage[],
  options: JudgeOptions,
  signal: AbortSignal | undefined,
) => Promise<JudgeAnswer>;

/** A model that judges. */
export interface JudgeModel {
  readonly name: string;
  readonly ask: AskJudge;
  /**
   * Posts a document of OpenAI's protocol (`/chat/completions`, `/embeddings`, `/moderations`) and gives back the
   * one that is answered. Absent for a model that is not behind such a server.
   */
  readonly post?: (path: string, body: unknown, signal: AbortSignal | undefined) => Promise<unknown>;
  /** Frees what it holds. */
  readonly release?: () => Promise<void>;
}

/** Opens models by reference; what a reference may be, and which are allowed, is decided by whoever gives this. */
export interface JudgeModels {
  /** @throws CONFIG_INVALID for a reference that is none; why a model cannot be opened */
  open(reference: unknown, signal: AbortSignal | undefined): Promise<JudgeModel>;
}
