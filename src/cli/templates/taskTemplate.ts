import type { TemplateFile } from "./templateFile.js";

/** A working task, its test and its page. */
export function taskTemplate(name: string): TemplateFile[] {
  return [
    {
      path: `tasks/${name}.ts`,
      content: `import { choiceAccuracy, defineTask, registerTask } from "elenchus";

const rows = [
  { country: "France", capital: "Paris", other: "Lyon" },
  { country: "Japan", capital: "Tokyo", other: "Osaka" },
  { country: "Kenya", capital: "Nairobi", other: "Mombasa" },
];

/** Which city is the capital, by how likely each is. Put your own rows here, or \`dataset: "owner/name"\` instead. */
export const ${name} = defineTask({
  name: "${name}",
  description: "Capitals, by how likely each of two cities is",
  version: "1",
  rows: { test: rows },
  splits: { test: "test", fewshot: "test" },
  metrics: [choiceAccuracy("acc"), choiceAccuracy("acc_norm", "characters")],
  question: ({ country, capital, other }) => {
    const choices = [String(capital), String(other)];
    return {
      contexts: [\`The capital of \${country} is\`],
      exampleAnswer: choices[0]!,
      asks: [{ kind: "choices", choices }],
      gold: 0,
      choices,
    };
  },
});

registerTask(${name});
`,
    },
    {
      path: `tasks/${name}.test.ts`,
      content: `import assert from "node:assert/strict";
import { test } from "node:test";
import { showDocuments } from "elenchus";
import { ${name} } from "./${name}.js";

test("${name} asks what it is meant to ask", async () => {
  const rows = (await ${name}.data.rows?.("test")) ?? [];
  const [plain] = showDocuments(${name}.documents({ evaluated: rows, pool: rows }, { shots: 0 }));
  assert.deepEqual(plain?.prompts, ["The capital of France is"]);
  assert.deepEqual(plain?.continuations, [" Paris", " Lyon"]);
  const [withExample] = showDocuments(${name}.documents({ evaluated: rows, pool: rows }, { shots: 1 }));
  assert.match(String(withExample?.prompts[0]), /^The capital of (Japan|Kenya) is .*\\n\\nThe capital of France is$/);
});
`,
    },
    {
      path: `tasks/${name}.md`,
      content: `# ${name}

See what a model is asked:

    elenchus task show ${name} --docs all --shots 1 --import tasks/${name}.ts

Its metrics: \`acc\` (the likelier city is the capital) and \`acc_norm\` (the same with log-likelihoods divided by the
number of characters).

Test it: \`node --import tsx --test tasks/${name}.test.ts\`

The guide to tasks is \`docs/tasks.md\` in the package.
`,
    },
  ];
}
