import type { TemplateFile } from "./templateFile.js";

/** A working datasource, its test and its page. */
export function datasourceTemplate(name: string): TemplateFile[] {
  return [
    {
      path: `datasources/${name}.ts`,
      content: `import { ArrayDataset, createRandom, type Datasource, datasources } from "elenchus";

/** Two noisy clouds of points, one for each class. Put your own data here. */
export function ${camelCase(name)}(seed: number): Datasource {
  const make = (rows: number, label: string) => {
    const random = createRandom(seed, "${name}", label);
    const inputs = new Float32Array(rows * 2);
    const labels = new Int32Array(rows);
    for (let row = 0; row < rows; row++) {
      labels[row] = row % 2;
      inputs[2 * row] = random.normal() + 2 * labels[row]!;
      inputs[2 * row + 1] = random.normal() - 2 * labels[row]!;
    }
    return new ArrayDataset({ inputs, inputShape: [2], labels, classes: 2 });
  };
  return { trainset: make(400, "train"), testset: make(100, "test") };
}

datasources.register("${name}", () => Promise.resolve(${camelCase(name)}(1)));
`,
    },
    {
      path: `datasources/${name}.test.ts`,
      content: `import assert from "node:assert/strict";
import { test } from "node:test";
import { ${camelCase(name)} } from "./${name}.js";

test("${name} gives the rows it promises, the same for the same seed", () => {
  const { trainset, testset } = ${camelCase(name)}(1);
  assert.equal(trainset.length, 400);
  assert.equal(testset.length, 100);
  assert.deepEqual(trainset.inputShape, [2]);
  assert.deepEqual(${camelCase(name)}(1).trainset.batch([0, 1]), trainset.batch([0, 1]));
});
`,
    },
    {
      path: `datasources/${name}.md`,
      content: `# ${name}

Use it in a run:

    [data]
    datasource = "${name}"
    sampler = "iid"
    partition_size = 40

    [trainer]
    model_name = "multilayer"

    elenchus run CONFIG.toml --import datasources/${name}.ts

Test it: \`node --import tsx --test datasources/${name}.test.ts\`

The module is loaded in every process of a run, so the rows must come out the same each time: draw from
\`createRandom\` with a fixed seed, never from \`Math.random\`.
`,
    },
  ];
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
