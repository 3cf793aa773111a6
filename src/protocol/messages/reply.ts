import { z } from "zod";
import { REFUSAL_CODES, type RefusalCode } from "../refusals.js";

const MESSAGE_CHARACTERS = 2000;

/** What an acknowledgement carries. */
export const replySchema = z.union([
  z.strictObject({ ok: z.literal(true) }),
  z.strictObject({
    ok: z.literal(false),
    code: z.enum(REFUSAL_CODES),
    message: z.string().max(MESSAGE_CHARACTERS),
  }),
]);

export type Reply = z.output<typeof replySchema>;

/** Takes the message that is being answered. */
export const ACCEPTED: Reply = Object.freeze({ ok: true });

/** Turns the message away that is being answered; a long explanation is cut. */
export function refuse(code: RefusalCode, message: string): Reply {
  return { ok: false, code, message: message.slice(0, MESSAGE_CHARACTERS) };
}
