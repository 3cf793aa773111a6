import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "./until.js";

/** A module with the trainer `gated`, which waits before gates that a test has closed. */
export const GATED_TRAINER = fileURLToPath(new URL("../e2e/fixtures/gatedTrainer.ts", import.meta.url));

/** The gate before one logical client's training in one round, for runs whose working folder is `folder`. */
export function gate(folder: string, client: number, round: number) {
  const gates = join(folder, "gates");
  const path = join(gates, `${client}-${round}`);
  return {
    close() {
      mkdirSync(gates, { recursive: true });
      writeFileSync(path, "");
    },
    open: () => rmSync(path),
    /** The process that waits before it. */
    waiting: () =>
      until(
        () => (existsSync(`${path}.waiting`) ? Number(readFileSync(`${path}.waiting`, "utf8")) : undefined),
        `a client before ${path}`,
      ),
  };
}
