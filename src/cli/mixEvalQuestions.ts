import { stat } from "node:fs/promises";
import { ElenchusError, type Logger, systemClock } from "../base/index.js";
import { hubSettings } from "../hub/index.js";
import { findRelease, type QuestionFile, readQuestions } from "../scoring/index.js";

/** How places with questions are read. */
export interface QuestionPlaces {
  /** Which release of a folder or a data set of the hub; the newest when absent. */
  readonly release?: string | undefined;
  /** All releases of folders, where `release` is absent: whoever looks for questions chooses among them. */
  readonly all?: boolean;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Questions of files, of releases in folders, and of data sets of the hub.
 * @throws USAGE for a release of files, which are of one; as `readQuestions` and `findRelease`
 */
export async function mixEvalQuestions(
  places: readonly string[],
  { release, all = false, logger, signal }: QuestionPlaces,
): Promise<readonly QuestionFile[]> {
  const hub = { settings: hubSettings(process.env), logger, clock: systemClock, signal };
  if (release !== undefined && places.length === 0) {
    throw new ElenchusError(
      "USAGE",
      `--release ${release} chooses among those of --data, which is not given.`,
    );
  }
  const found = await Promise.all(
    places.map(async (place) => {
      const there = await stat(place).catch(() => undefined);
      if (release !== undefined && there?.isFile()) {
        throw new ElenchusError(
          "USAGE",
          `--release ${release} chooses among the releases of a folder or a data set, and ${place} is a file. Name its folder, or leave --release out.`,
        );
      }
      const whole = there?.isFile() || (there?.isDirectory() && all && release === undefined);
      if (whole) return await readQuestions(place);
      return (await findRelease({ data: place, version: release }, hub)).splits;
    }),
  );
  return found.flat();
}
