import { stat } from "node:fs/promises";
import { type Logger, systemClock } from "../base/index.js";
import { hubSettings } from "../hub/index.js";
import { findRelease, type QuestionFile, readQuestions } from "../scoring/index.js";

/**
 * Questions of a release: of files, of folders with releases, or of data sets of the hub.
 * @param version of folders and data sets with several releases this one; of folders all, of the hub the newest when absent
 * @throws as `readQuestions` and `findRelease`
 */
export async function mixEvalQuestions(
  places: readonly string[],
  version: string | undefined,
  { logger, signal }: { logger: Logger; signal: AbortSignal },
): Promise<readonly QuestionFile[]> {
  const hub = { settings: hubSettings(process.env), logger, clock: systemClock, signal };
  const found = await Promise.all(
    places.map(async (place) => {
      const there = await stat(place).catch(() => undefined);
      const inHub = there === undefined && /^[^/\\.][^/\\]*\/[^/\\]+$/.test(place);
      if (!inHub && (version === undefined || !there?.isDirectory())) return await readQuestions(place);
      return (await findRelease({ data: place, version }, hub)).splits;
    }),
  );
  return found.flat();
}
