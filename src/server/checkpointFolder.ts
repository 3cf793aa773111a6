import type { Logger } from "../base/index.js";
import { pruneCheckpoints, writeCheckpoint } from "../weights/index.js";
import type { CheckpointSink } from "./serverOptions.js";

/**
 * Keeps checkpoints in a folder of the run: the newest ones, the best by the test scalar and the best by the
 * first evaluator's primary metric.
 * @param keep how many of the newest: `server.keep_checkpoints`
 */
export function checkpointFolder(folder: string, keep: number, logger: Logger): CheckpointSink {
  const warned = new Set<string>();

  return {
    async save(checkpoint) {
      const { dropped } = await writeCheckpoint(folder, checkpoint);
      for (const name of dropped.filter((one) => !warned.has(one))) {
        warned.add(name);
        logger.warn(
          `context.state entry "${name}" cannot be cloned and is not in the checkpoint: a resumed run starts without it.`,
        );
      }
      await pruneCheckpoints(folder, { keep });
    },
  };
}
