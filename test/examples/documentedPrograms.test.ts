import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createRandom, silentLogger } from "../../src/base/index.js";
import { loadBackend } from "../../src/compute/index.js";
import { type CausalModel, createModel } from "../../src/models/index.js";
import { savePretrained } from "../../src/models/kit.js";
import { formatTokenizer, trainBytePairs, writeTokenizer } from "../../src/tokenizers/index.js";
import { startModelServer } from "../language/modelServer.js";
import { printedBy, programsOf } from "./documents.js";

describe.each(["language.md", "tokenizers.md", "evaluations.md"])("the programs in docs/%s", async (page) => {
  const programs = await programsOf(page);

  test("are some", () => expect(programs.length).toBeGreaterThan(2));

  test.each(programs.filter(({ output }) => output !== undefined))(
    "print what stands behind them %#",
    async ({ code, output }) => {
      expect(await printedBy(code)).toBe(output);
    },
  );
});

describe("the other programs in docs/language.md", () => {
  afterEach(() => vi.unstubAllEnvs());
  const programWith = async (word: string) =>
    (await programsOf("language.md")).find(({ code }) => code.includes(`import { ${word} }`))!.code;

  test("score the choices of a question", async () => {
    const folder = await mkdtemp(join(tmpdir(), "elenchus-documented-"));
    try {
      const trained = trainBytePairs([], { vocabularySize: 257, specialTokens: ["<|end|>"] });
      await writeTokenizer(folder, formatTokenizer(trained, { eos: "<|end|>" }));
      await loadBackend("cpu", { logger: silentLogger });
      const parameters = { n_layer: 1, n_head: 1, n_embd: 4, vocab_size: 257 };
      const request = { inputShape: [4], classes: 257, parameters, random: createRandom(1) };
      const model = (await createModel({ model_name: "gpt" }, request)) as CausalModel;
      const weights = model.weights();
      for (const { data } of weights.values()) data.fill(0);
      model.loadWeights(weights);
      await savePretrained(model, folder);
      model.dispose();
      vi.stubEnv("MODEL", folder);
      // Without weights all 257 tokens are alike, and every character of these is one: ln 257 = 5.549.
      expect(await printedBy(await programWith("loadLanguageModel"))).toBe(
        "Venus 6 -5.549\nthe planet Jupiter 19 -5.549\nMars 5 -5.549\n",
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("hear an answer as it comes", async () => {
    const server = await startModelServer();
    try {
      vi.stubEnv("ENDPOINT", server.url);
      expect(await printedBy(await programWith("EndpointLanguageModel"))).toBe(
        "heard b\nheard c\nheard a\nheard b\nbcab length\n",
      );
    } finally {
      await server.close();
    }
  });
});
