/** One turn of a conversation. */
export interface ChatTurn {
  /** `system`, `user`, `assistant`, or what the template knows besides. */
  readonly role: string;
  readonly content: string;
  /** More fields for the template: `tool_calls`, `reasoning_content`, `name`. JSON-able. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}
