import { z } from "zod";

/** A round, from 1. */
export const round = z.int().positive();

/** A logical client, from 1. */
export const clientId = z.int().positive();

/** A transfer, named by its sender; told apart per session, never used as a path. */
export const transferId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

/** A session, named by the server. Whoever knows it may resume it. */
export const sessionId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

/** A SHA-256 as 64 lower-case hexadecimal digits. */
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const TEXT_CHARACTERS = 2000;

/** A short text for people. */
export const text = z.string().max(TEXT_CHARACTERS);

/** A text of any length as one that may stand in a message. */
export function cutText(long: string): string {
  return long.slice(0, TEXT_CHARACTERS);
}

/** A count of bytes. */
export const bytes = z.int().nonnegative();
