import { Environment, Interpreter, parse, tokenize } from "@huggingface/jinja";
import { ElenchusError, messageOf } from "../../base/index.js";
import type { TableRow } from "../../data/index.js";

/** A field of a task file: the name of a column, a Jinja template over a row, or a value as it stands. */
export interface Field {
  /** Its text for a row. @throws DATA_INVALID for a column that a row does not have */
  text(row: TableRow): string;
  /** Its value for a row: of a column as it is there, of a template that is a single expression what that is. */
  value(row: TableRow): unknown;
}

/**
 * Reads a field as EleutherAI's harness does: what is called as a column is that column, else it is a template, in
 * which a name that a row does not have is an error.
 * @throws INPUT_UNREADABLE for what is no template
 */
export function readField(source: string, key: string): Field {
  const whole = program(source, key);
  const expression = /^\s*\{\{([\s\S]*)\}\}\s*$/.exec(source)?.[1];
  const alone = expression === undefined || /\{\{|\}\}/.test(expression) ? undefined : expression;
  const asJson = alone === undefined ? undefined : program(`{{ (${alone}) | tojson }}`, key);
  const text = (row: TableRow) =>
    Object.hasOwn(row, source) ? String(row[source]) : rendered(whole, row, key);
  return {
    text,
    value(row) {
      if (Object.hasOwn(row, source)) return row[source];
      return asJson === undefined ? text(row) : JSON.parse(rendered(asJson, row, key));
    },
  };
}

interface Template {
  readonly run: (row: TableRow) => string;
  /** Names that a row must have. */
  readonly names: ReadonlySet<string>;
}

function program(source: string, key: string): Template {
  try {
    // One line end at the end of a template is Jinja's to drop, and the harness keeps it.
    const parsed = parse(tokenize(source.endsWith("\n") ? `${source}\n` : source));
    return {
      names: namesIn(parsed),
      run(row) {
        const environment = new Environment();
        for (const [name, value] of Object.entries(row)) {
          addListMethods(environment.set(name, value), value);
        }
        return String(new Interpreter(environment).run(parsed).value);
      },
    };
  } catch (error) {
    throw new ElenchusError(
      "INPUT_UNREADABLE",
      `${key} is no Jinja template: ${messageOf(error)}. It is ${JSON.stringify(source.slice(0, 80))}.`,
    );
  }
}

/** Gives lists of a row Python's `index`, which task files of the harness use and this Jinja does not have. */
function addListMethods(held: unknown, value: unknown): void {
  const {
    type,
    builtins,
    value: inside,
  } = held as { type?: string; builtins?: Map<string, unknown>; value?: unknown };
  if (type === "ArrayValue" && Array.isArray(value)) {
    const index = (wanted: unknown) => value.indexOf(wanted);
    builtins?.set("index", new Environment().set("index", index));
  } else if (type === "ObjectValue" && inside instanceof Map) {
    for (const [name, part] of inside) {
      addListMethods(part, (value as Readonly<Record<string, unknown>>)[String(name)]);
    }
  }
}

function rendered({ run, names }: Template, row: TableRow, key: string): string {
  const missing = [...names].filter((name) => !Object.hasOwn(row, name));
  if (missing.length > 0) {
    throw new ElenchusError(
      "DATA_INVALID",
      `${key} uses ${missing.join(", ")}, which a row does not have. Its columns are ${Object.keys(row).join(", ") || "none"}.`,
    );
  }
  try {
    return run(row);
  } catch (error) {
    throw new ElenchusError("DATA_INVALID", `${key} cannot be filled in for a row: ${messageOf(error)}.`);
  }
}

/** The names that a template takes from outside: all but those it binds itself, and those of filters and fields. */
function namesIn(root: unknown): Set<string> {
  const used = new Set<string>();
  const bound = new Set<string>([
    "loop",
    "range",
    "namespace",
    "true",
    "false",
    "none",
    "True",
    "False",
    "None",
  ]);
  const bind = (node: unknown) => walk(node, (name) => void bound.add(name));
  walk(root, (name) => void used.add(name), bind);
  return new Set([...used].filter((name) => !bound.has(name)));
}

/** Parts of nodes that hold names of other things: of fields, filters, tests and arguments. */
const NOT_READ: Readonly<Record<string, readonly string[]>> = {
  FilterExpression: ["filter"],
  TestExpression: ["test"],
  KeywordArgumentExpression: ["key"],
};
const BINDING: Readonly<Record<string, readonly string[]>> = {
  For: ["loopvar"],
  Set: ["assignee"],
  Macro: ["name", "args"],
};

function walk(node: unknown, onName: (name: string) => void, onBinding?: (node: unknown) => void): void {
  if (Array.isArray(node)) {
    for (const one of node) walk(one, onName, onBinding);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  const { type, value, computed } = node as { type?: string; value?: unknown; computed?: boolean };
  if (type === "Identifier" && typeof value === "string") onName(value);
  const skipped = [
    ...(NOT_READ[type ?? ""] ?? []),
    ...(type === "MemberExpression" && !computed ? ["property"] : []),
  ];
  for (const [part, inside] of Object.entries(node)) {
    if (skipped.includes(part)) continue;
    if (BINDING[type ?? ""]?.includes(part) && onBinding !== undefined) onBinding(inside);
    walk(inside, onName, onBinding);
  }
}
