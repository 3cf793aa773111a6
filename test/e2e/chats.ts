import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Puts forty short chats about sums into `chats`, as JSON lines: 32 to train on, 8 to test on.
 * @returns the lines
 */
export function writeChats(folder: string): string[] {
  mkdirSync(join(folder, "chats"));
  const lines = Array.from({ length: 40 }, (_, row) =>
    JSON.stringify({
      messages: [
        { role: "user", content: `What is ${row} and one?` },
        { role: "assistant", content: `The answer is ${row + 1}, my friend.` },
      ],
    }),
  );
  writeFileSync(join(folder, "chats", "train.jsonl"), lines.slice(0, 32).join("\n"));
  writeFileSync(join(folder, "chats", "test.jsonl"), lines.slice(32).join("\n"));
  return lines;
}
