import { EmbeddedStorage } from "../../../src/service/storage/index.js";

// Writes until it is killed, and says what was stored: its folder and its name are the arguments.
const [folder, name] = process.argv.slice(2) as [string, string];
const storage = await EmbeddedStorage.open(folder);
for (let index = 0; ; index++) {
  await storage.append(name, "rows", [{ index, row: `${name} ${index}` }]);
  const mark = await storage.get("mark", name);
  if (mark === undefined) await storage.create("mark", name, { index });
  else await storage.replace("mark", name, mark.version, { index });
  await storage.push("common", "log", [`${name} ${index}`]);
  process.stdout.write(`${index}\n`);
}
