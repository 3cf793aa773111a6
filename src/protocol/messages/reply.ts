import { z } from "zod";
import { REFUSAL_CODES, type RefusalCode } from "../refusals.js";
import { cutText, text } from "./fields.js";

/** What an acknowledgement carries. */
export const replySchema = z.union([
  z.strictObject({ ok: z.literal(true) }),
  z.strictObject({
    ok: z.literal(false),
    code: z.enum(REFUSAL_CODES),
    message: text,
  }),
]);

export type Reply = z.output<typeof replySchema>;

/** An answer that turns the message away. */
export type Refusal = Extract<Reply, { ok: false }>;

/** Takes the message that is being answered. */
export const ACCEPTED: Reply = Object.freeze({ ok: true });

/** Turns the message away that is being answered; a long explanation is cut. */
export function refuse(code: RefusalCode, message: string): Refusal {
  return { ok: false, code, message: cutText(message) };
}
