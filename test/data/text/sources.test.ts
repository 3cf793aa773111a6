import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Dataset, type Datasource, loadDatasource, type TextDataset } from "../../../src/data/index.js";
import { dataTable } from "../dataTable.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "text-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const FIXTURES = fileURLToPath(new URL("../fixtures", import.meta.url));
const trainer = { tokenizer_name: "byte" };

async function write(name: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), content);
}

const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

function load(data: Record<string, unknown>): Promise<Datasource> {
  const given = { max_seq_length: 200, ...data };
  return loadDatasource(dataTable(given), folder, { trainer });
}

/** What each row says, special tokens left out. */
function said({ tokenizer }: Datasource, dataset: Dataset): string[] {
  return Array.from({ length: dataset.length }, (_, row) =>
    tokenizer!.decode((dataset as TextDataset).row(row).ids, { skipSpecialTokens: true }),
  );
}

/** What of each row is asked for. */
function learnt({ tokenizer }: Datasource, dataset: Dataset): string[] {
  return Array.from({ length: dataset.length }, (_, row) => {
    const { ids, mask } = (dataset as TextDataset).row(row);
    return tokenizer!.decode(ids.filter((_, place) => mask[place] === 1));
  });
}

function owners({ groups }: Dataset): string[] {
  return Array.from(groups!.of, (group) => groups!.names[group]!);
}

describe("speeches", () => {
  const speech = (year: number, name: string, text: string) => {
    const file = `${year}_${name.toLowerCase().replaceAll(" ", "_")}_n.json`;
    return write(`sotu/data/${file}`, JSON.stringify({ year, name, party: "none", text }));
  };
  beforeAll(async () => {
    await speech(1791, "Ann Ash", "one two three four five six seven eight nine ten");
    await speech(1790, "Ann Ash", "a b c d e f g h i j");
    await speech(1801, "Bob Birch", "short speech of few words");
    await write("sotu/data/1790_ann_ash_n.txt", "not read");
  });

  test("come by year, owned by their speakers, with the end of each held out", async () => {
    const source = await load({ datasource: "speeches", corpus: "sotu" });
    expect(said(source, source.trainset)).toEqual([
      "a b c d e f g h i",
      "one two three four five six seven eight nine",
      "short speech of few",
    ]);
    expect(said(source, source.testset)).toEqual(["j", "ten", "words"]);
    expect(owners(source.trainset)).toEqual(["Ann Ash", "Ann Ash", "Bob Birch"]);
    expect(owners(source.testset)).toEqual(["Ann Ash", "Ann Ash", "Bob Birch"]);
  });

  test("may belong to their years, and be those of some speakers", async () => {
    const byYear = await load({ datasource: "speeches", corpus: "sotu", owner: "year", speakers: 1 });
    expect(owners(byYear.trainset)).toEqual(["1790", "1791"]);
    const bob = await load({ datasource: "speeches", corpus: "sotu", speakers: ["Bob Birch"] });
    expect(owners(bob.trainset)).toEqual(["Bob Birch"]);
  });

  test.each([
    [{ speakers: ["Cy"] }, "DATA_INVALID", /asks for "Cy", but the corpus has 2: Ann Ash, Bob Birch/],
    [{ speakers: 3 }, "DATA_INVALID", /asks for 3 speakers, but the corpus has 2/],
    [{ corpus: "nowhere" }, "INPUT_UNREADABLE", /nowhere.data holds no speeches.*npm install @stdlib/],
  ])("refuses %j", async (keys, code, message) => {
    const loading = load({ datasource: "speeches", corpus: "sotu", ...keys });
    await expect(loading).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test("a damaged file is named", async () => {
    await write("torn/data/1790_ann_ash_n.json", '{"year": 1790, "name": "Ann');
    await write("odd/data/1790_ann_ash_n.json", '{"year": 1790, "name": "Ann", "text": 3}');
    for (const [corpus, found] of [
      ["torn", /1790_ann_ash_n\.json is no speech: .*JSON/],
      ["odd", /1790_ann_ash_n\.json is no speech: text: /],
    ] as const) {
      await expect(load({ datasource: "speeches", corpus })).rejects.toMatchObject({
        code: "DATA_INVALID",
        message: expect.stringMatching(found),
      });
    }
  });
});

describe("text files", () => {
  beforeAll(async () => {
    await write("books/a/one.txt", "first book ends");
    await write("books/a/two.md", "second book ends");
    await write("books/b/three.txt", "third book ends");
    await write("books/picture.png", Uint8Array.of(0xff));
    await write("last.txt", "for the test");
    await write("latin.txt", Uint8Array.of(0x61, 0x62, 0xe9, 0x63));
  });

  test("of a folder are read by name, each its own owner, or its folder's", async () => {
    const source = await load({ datasource: "text", train_path: "books" });
    expect(said(source, source.trainset)).toEqual(["first book", "second book", "third book"]);
    expect(said(source, source.testset)).toEqual(["ends", "ends", "ends"]);
    expect(owners(source.trainset)).toEqual(["a/one.txt", "a/two.md", "b/three.txt"]);
    const byFolder = await load({ datasource: "text", train_path: "books", owner: "folder" });
    expect(owners(byFolder.trainset)).toEqual(["a", "a", "b"]);
  });

  test("may be named one by one, those to test on too", async () => {
    const paths = { train_path: ["books/b/three.txt", "books/a/one.txt"], test_path: "last.txt" };
    const source = await load({ datasource: "text", ...paths });
    expect(said(source, source.trainset)).toEqual(["third book ends", "first book ends"]);
    expect(said(source, source.testset)).toEqual(["for the test"]);
  });

  test.each([
    ["latin.txt", /latin\.txt is no UTF-8 text: the bytes from offset 2 on/],
    ["gone.txt", /data\.train_path names .*gone\.txt, which cannot be read/],
  ])("refuses %s", async (path, message) => {
    await expect(load({ datasource: "text", train_path: path })).rejects.toMatchObject({
      code: "DATA_INVALID",
      message: expect.stringMatching(message),
      details: { path: ["data", "train_path"] },
    });
  });
});

describe("tables", () => {
  const chat = (question: string, answer: string) => ({
    messages: [
      { role: "user", content: question },
      { role: "assistant", content: answer },
    ],
  });

  test("hold conversations, of which the answers are learnt", async () => {
    await write("chats.jsonl", lines([chat("Hi?", "Ho."), chat("Up?", "Down.")]));
    await write("more.jsonl.gz", gzipSync(lines([chat("In?", "Out.")])));
    const source = await load({ datasource: "jsonl", train_path: "chats.jsonl", test_path: "more.jsonl.gz" });
    expect(learnt(source, source.trainset)).toEqual(["Ho.<|im_end|>", "Down.<|im_end|>"]);
    expect(learnt(source, source.testset)).toEqual(["Out.<|im_end|>"]);
  });

  test("hold prompts with completions in columns of any name, and owners", async () => {
    await write("qa.csv", 'q,a,who\n"one, two",three,ann\nfour,five,bob\n');
    await write("qa_test.tsv", "q\ta\twho\nsix\tseven\tann\n");
    const source = await load({
      datasource: "jsonl",
      train_path: ["qa.csv"],
      test_path: ["qa_test.tsv"],
      preprocessing_mode: "prompt_completion",
      prompt_field: "q",
      completion_field: "a",
      owner_field: "who",
    });
    expect(said(source, source.trainset)).toEqual(["one, twothree", "fourfive"]);
    expect(learnt(source, source.trainset)).toEqual(["three<|eos|>", "five<|eos|>"]);
    expect(owners(source.trainset)).toEqual(["ann", "bob"]);
  });

  test("name only owners of whom a row is left, to train and to test each for itself", async () => {
    const row = (prompt: string, who: string) => ({ prompt, completion: "yes", who });
    const long = "a prompt that leaves no room for its answer";
    await write("who.jsonl", lines([row(long, "ann"), row("a", "bob"), row("b", "eve"), row("c", "bob")]));
    await write("who_test.jsonl", lines([row("d", "zoe")]));
    const source = await load({
      datasource: "jsonl",
      train_path: "who.jsonl",
      test_path: "who_test.jsonl",
      preprocessing_mode: "prompt_completion",
      owner_field: "who",
      max_seq_length: 12,
    });
    expect(source.trainset.groups!.names).toEqual(["bob", "eve"]);
    expect(owners(source.trainset)).toEqual(["bob", "bob", "eve"]);
    expect(owners(source.testset)).toEqual(["zoe"]);
  });

  test("without rows to test on hold some out, drawn with the seed", async () => {
    await write("ten.jsonl", lines(Array.from({ length: 10 }, (_, row) => ({ text: `row ${row}` }))));
    const keys = { datasource: "jsonl", train_path: "ten.jsonl", preprocessing_mode: "text" };
    const ask = async (random_seed: number) => {
      const source = await load({ ...keys, validation_fraction: 0.3, random_seed });
      return [said(source, source.trainset), said(source, source.testset)] as const;
    };
    const [train, held] = await ask(1);
    expect([train.length, held.length]).toEqual([7, 3]);
    expect([...train, ...held].sort()).toEqual(Array.from({ length: 10 }, (_, row) => `row ${row}`));
    expect(await ask(1)).toEqual([train, held]);
    expect((await ask(2))[1]).not.toEqual(held);
  });

  test.each([
    ["torn.jsonl", '{"messages": []}\n\n{"mess', /torn\.jsonl:3 cannot be read: /],
    ["list.jsonl", "[1]\n", /list\.jsonl:1 cannot be read: it is \[1\]/],
    [
      "other.jsonl",
      '\n{"chat": [], "id": 3}',
      /other\.jsonl:2: the column "messages".*columns chat, id; name/,
    ],
    ["empty.jsonl", '{"messages": []}', /empty\.jsonl:1: the column "messages" cannot be used: messages: /],
    ["role.jsonl", '{"messages": [{"content": "a"}]}', /role\.jsonl:1: .* messages\.0\.role: /],
    [
      "latin.jsonl",
      Buffer.from('{"messages": []}\n{"messages": "caf\xe9"}\n', "latin1"),
      /latin\.jsonl:2 cannot be read: its bytes are no UTF-8 text\. Expected UTF-8/,
    ],
    [
      "latin.json",
      Buffer.from('[{"a": "\xe9"}]', "latin1"),
      /latin\.json cannot be read: its bytes are no UTF-8/,
    ],
    [
      "latin.csv",
      Buffer.from("messages\ncaf\xe9\n", "latin1"),
      /latin\.csv cannot be read: its bytes are no UTF-8/,
    ],
    [
      "half.csv",
      Buffer.from("messages\n\u00e9").subarray(0, -1),
      /half\.csv cannot be read: its bytes are no UTF-8/,
    ],
    ["short.csv", "messages,b\n1\n", /short\.csv cannot be read: .*line 2/],
    [
      "cut.jsonl.gz",
      gzipSync("x".repeat(9000)).subarray(0, 30),
      /cut\.jsonl\.gz cannot be read: unexpected end/,
    ],
    ["plain.jsonl.gz", "no archive", /plain\.jsonl\.gz cannot be read: incorrect header/],
    ["torn.json", '[{"messages": []}', /torn\.json cannot be read: /],
    ["one.parquet", "PAR1", /one\.parquet cannot be read: .*Expected a parquet file/],
  ])("a damaged %s is refused with its place", async (name, content, message) => {
    await write(name, content);
    await expect(load({ datasource: "jsonl", train_path: name })).rejects.toMatchObject({
      code: "DATA_INVALID",
      message: expect.stringMatching(message),
    });
  });

  test("nothing left to train on is said before anything is trained", async () => {
    await write(
      "long.jsonl",
      lines([chat("a question longer than a row", "no"), chat("and another one", "no")]),
    );
    const loading = load({ datasource: "jsonl", train_path: "long.jsonl", max_seq_length: 8 });
    await expect(loading).rejects.toMatchObject({
      code: "DATA_INVALID",
      message: expect.stringContaining("long.jsonl has nothing to train on: none of its 1 texts leaves"),
    });
  });
});

describe("a data set as hubs lay it out", () => {
  test("is read from a folder, a part of a split by itself", async () => {
    const keys = { datasource: "HuggingFace", dataset_name: FIXTURES, owner_field: "speaker" };
    const source = await load({ ...keys, train_split: "train[:3]", validation_split: "train[3:5]" });
    expect(learnt(source, source.trainset)).toEqual([1, 2, 3].map((n) => `It is ${n}.<|im_end|>`));
    expect(learnt(source, source.testset)).toEqual([4, 5].map((n) => `It is ${n}.<|im_end|>`));
    expect(owners(source.trainset)).toEqual(["ann", "bob", "eve"]);
  });

  test("may lie under data_path", async () => {
    await write("mine/train.jsonl", lines([{ text: "to learn" }]));
    await write("mine/dev.jsonl", lines([{ text: "to test" }]));
    const keys = { datasource: "HuggingFace", dataset_name: "mine", preprocessing_mode: "text" };
    const source = await load({ ...keys, validation_split: "validation" });
    expect(said(source, source.testset)).toEqual(["to test"]);
  });

  test.each([
    [{ train_split: "nope" }, "train_split"],
    [{ train_split: "train[:x]" }, "train_split"],
    [{ validation_split: "nope" }, "validation_split"],
    [{ validation_split: "test[3]" }, "validation_split"],
    [{ dataset_config: "fr" }, "dataset_config"],
    [{ dataset_name: "no/such/folder" }, "dataset_name"],
  ])("says which key is at fault where %j cannot be read", async (wrong, key) => {
    const keys = { datasource: "HuggingFace", dataset_name: FIXTURES, train_split: "train[:3]", ...wrong };
    await expect(load(keys)).rejects.toMatchObject({ details: { path: ["data", key] } });
  });
});

describe("made-up conversations", () => {
  const ask = (random_seed: number) =>
    loadDatasource(
      dataTable({ datasource: "nanochat", train_rows: 40, test_rows: 10, vocab_size: 300, random_seed }),
      folder,
      { trainer: { tokenizer_name: "nanochat" } },
    );

  test("have right answers, an owner for each task, and nanochat's special tokens", async () => {
    const source = await ask(1);
    expect([source.trainset.length, source.testset.length]).toEqual([40, 10]);
    expect(source.trainset.groups!.names).toEqual([
      "sums",
      "differences",
      "spelling",
      "reversing",
      "counting",
    ]);
    const { ids } = (source.trainset as TextDataset).row(0);
    const text = source.tokenizer!.decode(ids);
    const sum = /^<\|bos\|><\|user_start\|>What is (\d+) plus (\d+)\?<\|user_end\|>/.exec(text)!;
    const answer = Number(sum[1]) + Number(sum[2]);
    expect(text.slice(sum[0].length)).toBe(`<|assistant_start|>${answer}<|assistant_end|>`);
    const sums = learnt(source, source.trainset).filter((_, row) => source.trainset.labels[row] === 0);
    expect(sums[0]).toBe(`${answer}<|assistant_end|>`);
    expect(sums).toHaveLength(8);
  });

  test("are the same for the same seed", async () => {
    const rows = async (seed: number) => said(await ask(seed), (await ask(seed)).trainset);
    expect(await rows(1)).toEqual(await rows(1));
    expect(await rows(2)).not.toEqual(await rows(1));
  });
});

describe("the tokenizer", () => {
  test("is learnt from the training text alone and kept for the next process", async () => {
    await write("bpe/train.txt", "banana bandana banana bandana banana bandana");
    await write("bpe/test.txt", "zzzzzzzz zzzzzzzz zzzzzzzz");
    const keys = { train_path: "bpe/train.txt", test_path: "bpe/test.txt", vocab_size: 270 };
    const data = dataTable({ datasource: "text", ...keys });
    const first = await loadDatasource(data, folder, {});
    const [kept] = await readdir(join(folder, "tokenizers"));
    expect(kept).toMatch(/^bpe-270-[0-9a-f]{16}$/);
    expect(first.trainset.classes).toBeLessThanOrEqual(270);
    expect(first.tokenizer!.encode("banana").length).toBeLessThan(6);
    expect(first.tokenizer!.encode("zzzz")).toHaveLength(4);

    const again = await loadDatasource(data, folder, { trainer: { model_name: "gpt" } });
    const rows = ({ trainset }: Datasource) => trainset.batch([0]);
    expect(rows(again)).toEqual(rows(first));
    // A folder with a tokenizer, as published models have it, is read as well.
    const named = { trainer: { tokenizer_name: join(folder, "tokenizers", kept!) } };
    expect(rows(await loadDatasource(data, folder, named))).toEqual(rows(first));
    const published = {
      trainer: { model_type: "huggingface", model_name: join(folder, "tokenizers", kept!) },
    };
    expect(rows(await loadDatasource(data, folder, published))).toEqual(rows(first));
  });

  test("the context of the model is the length of a row unless another is given", async () => {
    const data = { datasource: "text", train_path: "books" };
    const shape = async (keys: Record<string, unknown>, model: Record<string, unknown>) =>
      (await loadDatasource(dataTable({ ...data, ...keys }), folder, { trainer, parameters: { model } }))
        .trainset.inputShape;
    expect(await shape({}, { block_size: 7 })).toEqual([7]);
    expect(await shape({}, { sequence_len: 9 })).toEqual([9]);
    expect(await shape({}, {})).toEqual([128]);
    expect(await shape({ max_seq_length: 5 }, { block_size: 7 })).toEqual([5]);
  });
});
