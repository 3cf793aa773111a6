import { z } from "zod";
import { ElenchusError, optionFaults } from "../../base/index.js";
import type { CoreSpec } from "../../tasks/index.js";

/**
 * The tasks that a bundle's `core.yaml` lists under `icl_tasks`. Of YAML it needs a list of maps of scalars and short
 * lists, and no more is read: what else stands there is an error, not a guess.
 * @throws INPUT_UNREADABLE naming the line or the task
 */
export function parseCoreYaml(text: string, path: string): CoreSpec[] {
  return itemsOf(text, path).map((item, place) => {
    const parsed = entry.safeParse(item);
    if (!parsed.success) {
      const faults = optionFaults(parsed.error, item, { schema: entry });
      throw unreadable(path, `task ${place + 1}: ${faults.join("; ")}`);
    }
    const {
      label,
      dataset_uri: file,
      num_fewshot,
      icl_task_type: form,
      continuation_delimiter,
    } = parsed.data;
    const [shots] = num_fewshot;
    return { label, form, shots: shots!, file, delimiter: continuation_delimiter };
  });
}

const entry = z.object({
  label: z.string().regex(/^[A-Za-z0-9_.-]+$/, { error: "expected a name of letters, digits, _, . and -" }),
  dataset_uri: z.string().min(1),
  num_fewshot: z.array(z.int().nonnegative()).min(1),
  icl_task_type: z.enum(["multiple_choice", "schema", "language_modeling"]),
  continuation_delimiter: z.string().default(" "),
});

type Item = Record<string, unknown>;

function itemsOf(text: string, path: string): Item[] {
  const items: Item[] = [];
  let listed: unknown[] | undefined;
  let begun = false;
  for (const [number, whole] of text.split(/\r?\n/).entries()) {
    const at = (found: string) => unreadable(path, `line ${number + 1} is ${JSON.stringify(found)}`);
    const line = whole.replace(/^\s*#.*$/, "").trimEnd();
    if (line.trim() === "" || line === "---") continue;
    if (!begun) {
      if (line !== "icl_tasks:") throw at(line);
      begun = true;
      continue;
    }
    const dash = /^\s*-(?:\s+(.*))?$/.exec(line);
    const said = dash === null ? line.trim() : (dash[1] ?? "").trim();
    const pair = /^([A-Za-z_]\w*):(?:\s+(.*))?$/.exec(said);
    if (dash !== null && pair === null && said !== "") {
      if (listed === undefined) throw at(line);
      listed.push(scalar(said, at));
      continue;
    }
    if (dash !== null) items.push({});
    if (said === "") continue;
    const item = items.at(-1);
    if (item === undefined || pair === null || Object.hasOwn(item, pair[1]!)) throw at(line);
    listed = pair[2] === undefined ? [] : undefined;
    item[pair[1]!] = listed ?? value(pair[2]!, at);
  }
  return items;
}

type At = (found: string) => ElenchusError;

function value(text: string, at: At): unknown {
  const list = /^\[(.*)\]$/.exec(text)?.[1];
  if (list === undefined) return scalar(text, at);
  return list.trim() === "" ? [] : list.split(",").map((one) => scalar(one.trim(), at));
}

function scalar(text: string, at: At): unknown {
  if (/^".*"$/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      throw at(text);
    }
  }
  const quoted = /^'((?:[^']|'')*)'$/.exec(text)?.[1];
  if (quoted !== undefined) return quoted.replaceAll("''", "'");
  if (/^-?\d+$/.test(text)) return Number(text);
  if (text === "true" || text === "false") return text === "true";
  // Everything with a meaning of its own in YAML.
  if (/^[&*!|>{}[\]%@`"']|:\s|\s#/.test(text)) throw at(text);
  return text;
}

function unreadable(path: string, found: string): ElenchusError {
  return new ElenchusError(
    "INPUT_UNREADABLE",
    `${path} cannot be read: ${found}. Expected icl_tasks, a list of tasks with label, dataset_uri, num_fewshot, icl_task_type and perhaps continuation_delimiter.`,
  );
}
