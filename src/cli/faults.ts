import { z } from "zod";
import { ElenchusError, type ErrorCode, messageOf } from "../base/index.js";
import { type ConfigIssue, issueAt, renderIssue, type Written } from "../config/index.js";

/** A fault of a configuration; beside those of its own checks, of the modules, data and models that it names. */
export type Fault = Omit<ConfigIssue, "code"> & { code: ErrorCode };

/** A key, as `details.path` of an error names it. */
export type FaultPath = readonly (string | number)[];

/**
 * What an error says of the configuration, each reason with its key where the error tells: `details.faults` of several,
 * `details.path` of one.
 * @param key at fault where the error names none
 * @param code of the faults
 */
export function faultsOf(error: unknown, written: Written, key: FaultPath, code: ErrorCode): Fault[] {
  return reasonsOf(error, key).map(({ path, message }) => ({
    ...issueAt(written, "CONFIG_INVALID", path, { expected: message }),
    code,
  }));
}

/**
 * The error with file, line and key in front of its message, as `check` shows it; the same error where it is none of
 * ours.
 */
export function located(error: unknown, written: Written, key: FaultPath): unknown {
  if (!(error instanceof ElenchusError) || Array.isArray(error.details.errors)) return error;
  const { code, details } = error;
  const errors = faultsOf(error, written, key, code);
  const message = errors.map(messageLine).join("\n");
  return new ElenchusError(code, message, { cause: error, details: { ...details, errors } });
}

/** The same where the error itself names a key; any other as it is. */
export function locatedByPath(error: unknown, written: Written): unknown {
  const path = error instanceof ElenchusError ? keyPath.safeParse(error.details.path).data : undefined;
  return path === undefined ? error : located(error, written, path);
}

/** Of a key it is said what was expected there; of modules, data and models the message says all. */
export function faultLine(fault: Fault): string {
  return OF_A_KEY.test(fault.code) ? renderIssue(fault as ConfigIssue) : messageLine(fault);
}

const OF_A_KEY = /^(CONFIG_(?!INVALID$).+|NAME_UNKNOWN|PATH_UNWRITABLE|EVALUATION_CONFIG)$/;

function messageLine({ file, line, key, value, expected }: Fault): string {
  const place = [file, line].filter((part) => part !== null).join(":");
  const found = value === null ? key : `${key} = ${JSON.stringify(value)}`;
  return [place, found, expected].filter((part) => part !== "").join(": ");
}

function reasonsOf(error: unknown, key: FaultPath): { path: FaultPath; message: string }[] {
  const details = error instanceof ElenchusError ? error.details : {};
  const several = reasons.safeParse(details.faults);
  if (several.success && several.data.length > 0) return several.data;
  return [{ path: keyPath.safeParse(details.path).data ?? key, message: messageOf(error) }];
}

const keyPath = z.array(z.union([z.string(), z.number()]));
const reasons = z.array(z.object({ path: keyPath, message: z.string() }));
