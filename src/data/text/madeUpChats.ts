import { createRandom, parseOptions, type Random } from "../../base/index.js";
import type { Datasource } from "../dataset.js";
import type { DatasourceRequest } from "../datasourceFactory.js";
import { madeUpChatsOptions } from "./sourceOptions.js";
import { textDatasource } from "./textDatasource.js";
import type { TextExample } from "./textExample.js";

/**
 * Conversations made up with `data.random_seed`, one question and its answer each, of five kinds by turns: sums,
 * differences, spelling, reversing, counting letters. The kind is the owner, so that the natural partition gives every
 * client a task of its own. They need no file and no network, and a small model learns them in minutes.
 */
export async function madeUpChats(request: DatasourceRequest): Promise<Datasource> {
  const options = parseOptions(madeUpChatsOptions, request.options, "[data] of nanochat");
  const { train_rows, test_rows, label_strategy, random_seed } = options;
  const seed = typeof random_seed === "number" ? random_seed : 1;
  const rows = (part: string, count: number) =>
    Array.from({ length: count }, (_, row) =>
      conversation(row, `${part} ${row}`, createRandom(seed, "nanochat", part, row)),
    );
  return textDatasource(
    {
      train: rows("train", train_rows),
      test: rows("test", test_rows),
      name: "The source nanochat",
      labels: label_strategy,
    },
    request,
  );
}

type Task = (random: Random) => readonly [question: string, answer: string];

const TASKS: readonly (readonly [name: string, task: Task])[] = [
  ["sums", (random) => calculation(random, "plus", (one, other) => one + other)],
  ["differences", (random) => calculation(random, "minus", (one, other) => one - other)],
  ["spelling", (random) => onWord(random, (word) => [`Spell ${word}.`, [...word].join(" ")])],
  ["reversing", (random) => onWord(random, (word) => [`Reverse ${word}.`, [...word].reverse().join("")])],
  [
    "counting",
    (random) =>
      onWord(random, (word) => {
        const letter = word[random.int(word.length)]!;
        const count = [...word].filter((other) => other === letter).length;
        return [`How many ${letter} are in ${word}?`, String(count)];
      }),
  ],
];

function conversation(row: number, place: string, random: Random): TextExample {
  const [owner, task] = TASKS[row % TASKS.length]!;
  const [question, answer] = task(random);
  const turns = [
    { role: "user", content: question },
    { role: "assistant", content: answer },
  ];
  return { content: { kind: "chat", turns }, place, owner };
}

function calculation(random: Random, word: string, result: (one: number, other: number) => number) {
  const one = random.int(100);
  const other = random.int(100);
  return [`What is ${one} ${word} ${other}?`, `${result(one, other)}`] as const;
}

const LETTERS = "abcdefghij";

function onWord(random: Random, task: (word: string) => readonly [string, string]) {
  const length = 3 + random.int(4);
  return task(Array.from({ length }, () => LETTERS[random.int(LETTERS.length)]).join(""));
}
