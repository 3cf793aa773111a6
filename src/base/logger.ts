/** Levels from the most to the least talkative. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Where messages go. Passed in, never global. */
export interface Logger {
  readonly level: LogLevel;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** A logger that hands each line of sufficient level to `write`, without a line end. */
export function createLogger(level: LogLevel, write: (line: string, level: LogLevel) => void): Logger {
  const threshold = LOG_LEVELS.indexOf(level);
  const at = (own: LogLevel) => (message: string) => {
    if (LOG_LEVELS.indexOf(own) >= threshold) write(message, own);
  };
  return { level, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** Says nothing. */
export const silentLogger: Logger = createLogger("silent", () => {});

/** Writes to standard error, warnings and errors with their level in front. */
export function stderrLogger(level: LogLevel): Logger {
  return createLogger(level, (line, own) => {
    process.stderr.write(own === "info" ? `${line}\n` : `${own}: ${line}\n`);
  });
}
