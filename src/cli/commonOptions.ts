import { type Command, InvalidArgumentError, Option } from "commander";
import { LOG_LEVELS, type LogLevel } from "../base/index.js";

/** The options that several commands share; each may stand before or after the command's name. */
export interface CommonOptions {
  /** Modules to load in every process of the run. */
  import: string[];
  /** Overrides `general.base_path`. */
  base?: string;
  runId?: string;
  resume?: boolean;
  /** `section.key=value`, in the order given. */
  set: string[];
  /** Every `random_seed`. */
  seed?: number;
  log: LogLevel;
  lenient?: boolean;
  json?: boolean;
}

/** Adds them to the program, where commander finds them on both sides of a command's name. */
export function addCommonOptions(program: Command): Command {
  return program
    .addOption(
      new Option("--import <file>", "load a .ts, .js or .mjs module in every process of the run (repeatable)")
        .default([], "none")
        .argParser(gather),
    )
    .option("--base <path>", "folder for data, checkpoints and results (overrides general.base_path)")
    .option("--run-id <id>", "name of the run (default: configuration name and time)")
    .option("--resume", "continue a run from its newest checkpoint")
    .addOption(
      new Option(
        "--set <key=value>",
        "override section.key; the value is read as TOML, else as a string (repeatable)",
      )
        .default([], "none")
        .argParser(gather),
    )
    .option("--seed <n>", "set every random_seed", wholeNumber)
    .addOption(new Option("--log <level>", "how much to say").choices(LOG_LEVELS).default("info"))
    .option("--lenient", "turn unknown and unsupported keys into warnings")
    .option("--json", "print one JSON document on standard output and nothing else there");
}

function gather(value: string, before: string[]): string[] {
  return [...before, value];
}

/** Parses an option that must be a whole number. */
export function wholeNumber(value: string): number {
  if (!/^[+-]?\d+$/.test(value) || !Number.isSafeInteger(Number(value))) {
    throw new InvalidArgumentError(`expected a whole number, found ${JSON.stringify(value)}.`);
  }
  return Number(value);
}

/** Parses an option that must be a whole number from 1. */
export function positiveNumber(value: string): number {
  const number = wholeNumber(value);
  if (number > 0) return number;
  throw new InvalidArgumentError(`expected a number from 1, found ${value}.`);
}
