import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ElenchusError, namesIn } from "../../base/index.js";
import { type HeldVerdict, heldVerdict } from "./heldVerdict.js";
import type { MixEvalResponse } from "./mixEvalRow.js";
import { judgeOfFile, kindOfRow, type QuestionKind, verdictFileName } from "./publishedNames.js";
import { type LoggedRow, parsedRows } from "./rowLog.js";

/** Verdicts of a judge from earlier scorings, so that nothing is judged twice. */
export class HeldVerdicts {
  readonly #rows = new Map<string, LoggedRow[]>();
  #judge: string | undefined;

  /**
   * Reads the files of verdicts in folders.
   * @param judge the judge's name; undefined takes the only one whose files are there
   * @throws CONFIG_INVALID where there are several judges' and none is named; DATA_INVALID naming a line
   */
  static async read(folders: Iterable<string>, judge: string | undefined): Promise<HeldVerdicts> {
    const held = new HeldVerdicts();
    for (const folder of new Set(folders)) {
      const wanted = judge === undefined ? await onlyJudge(folder) : judge;
      if (wanted === undefined) continue;
      held.#judge ??= wanted;
      for (const kind of ["freeform", "multichoice"] as const) {
        const path = join(folder, verdictFileName(kind, "judge", wanted));
        const text = await readFile(path, "utf8").catch(() => "");
        for (const row of parsedRows(text, path)) held.#add(kind, row);
      }
    }
    return held;
  }

  /** Whose verdicts they are, as far as there are any. */
  get judge(): string | undefined {
    return this.#judge;
  }

  /**
   * The verdict on an answer; undefined where there is none on this very answer to this question.
   * @param extracted what of the answer is judged, where it is cut
   */
  of({ id, row, response }: MixEvalResponse, extracted?: string): HeldVerdict | undefined {
    const rows = this.#rows.get(`${kindOfRow(row)} ${id}`) ?? [];
    // The answer that was judged: of a model that was asked anew, an earlier one says nothing.
    const same = rows.find(
      (held) =>
        held.response === response && held.prompt === row.prompt && held.response_extracted === extracted,
    );
    return same && heldVerdict(row, same);
  }

  #add(kind: QuestionKind, row: LoggedRow): void {
    const key = `${kind} ${String(row.id)}`;
    this.#rows.set(key, [...(this.#rows.get(key) ?? []), row]);
  }
}

async function onlyJudge(folder: string): Promise<string | undefined> {
  const judges = new Set((await namesIn(folder)).flatMap((name) => judgeOfFile(name) ?? []));
  if (judges.size < 2) return [...judges][0];
  throw new ElenchusError(
    "CONFIG_INVALID",
    `${folder} has verdicts of several judges: ${[...judges].join(", ")}. Name the judge whose verdicts count.`,
  );
}
