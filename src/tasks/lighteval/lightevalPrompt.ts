import { pythonStrip } from "../../base/index.js";
import type { ChatTurn } from "../../tokenizers/index.js";
import type { DocumentOptions } from "../task.js";
import type { LightevalRecord } from "./lightevalSpec.js";

/** What a model reads before it answers: parts with empty lines between them, or turns of a chat. */
export function lightevalPrompt(
  record: LightevalRecord,
  examples: readonly LightevalRecord[],
  { systemPrompt, chat }: Pick<DocumentOptions, "systemPrompt" | "chat">,
): string | ChatTurn[] {
  const { instruction } = record;
  const query = queryOf(record, instruction);
  if (chat === undefined) {
    const shown = examples.map(
      (example) => `${queryOf(example, instruction)} ${pythonStrip(firstGold(example))}`,
    );
    return [systemPrompt || undefined, instruction, ...shown, query]
      .filter((part) => part !== undefined)
      .join("\n\n");
  }
  const shown = examples.map((example) => [queryOf(example, instruction), firstGold(example)] as const);
  // The instruction goes in front of what the user says first.
  const said = [...shown.map(([question]) => question), query];
  said[0] = `${instruction ?? ""}${said[0]}`;
  const turns = shown.flatMap(([, answer], place): ChatTurn[] => [
    { role: "user", content: said[place]! },
    { role: "assistant", content: answer },
  ]);
  const last: ChatTurn = { role: "user", content: said.at(-1)! };
  const system: ChatTurn[] = systemPrompt ? [{ role: "system", content: systemPrompt }] : [];
  if (chat.fewshotAsTurns ?? true) return [...system, ...turns, last];
  return [...system, { role: "user", content: [...turns, last].map(({ content }) => content).join("\n\n") }];
}

/** A query without the instruction at its beginning. */
function queryOf({ query }: LightevalRecord, instruction: string | undefined): string {
  if (instruction === undefined || !query.startsWith(instruction)) return query;
  return pythonStrip(query.slice(instruction.length));
}

function firstGold({ gold, choices }: LightevalRecord): string {
  const [first = 0] = typeof gold === "number" ? [gold] : gold;
  return choices.at(first) ?? "";
}
