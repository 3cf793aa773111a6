import type { Federation } from "./federation.js";

/** Why a message about a member's work must not count. */
export type WorkRefusal = "foreign" | "late" | "duplicate";

/**
 * Whether a message about a member's work counts in this state.
 * @returns null when it does
 */
export function refusalOf(
  state: Federation,
  message: { readonly round: number; readonly client: number; readonly process: number },
): WorkRefusal | null {
  const { stage } = state;
  if (message.round > stage.round) return "foreign";
  if (message.round < stage.round) return "late";
  if (stage.phase !== "collecting") return "late";
  const member = stage.members.get(message.client);
  if (member === undefined || member.process !== message.process) return "foreign";
  if (member.status === "reported") return "duplicate";
  if (member.status !== "working") return "late";
  return null;
}
