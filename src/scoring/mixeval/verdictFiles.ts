import { join } from "node:path";
import { ElenchusError, messageOf, writeAtomic } from "../../base/index.js";
import type { MixEvalResponse } from "./mixEvalRow.js";
import type { MixEvalScores } from "./mixEvalScores.js";
import { kindOfRow, placeFolder, type ResponsePlace, verdictFileName } from "./publishedNames.js";
import type { ParsedResponse } from "./responseParser.js";
import { type LoggedRow, RowLog } from "./rowLog.js";

/** An answer with what became of it. */
export interface Verdict extends ParsedResponse {
  readonly answer: MixEvalResponse;
  /** The answer up to where a base model goes on with questions of its own, where it was cut. */
  readonly extracted?: string | undefined;
  readonly reply?: string | undefined;
}

/**
 * Writes verdicts as MixEval does: `<root>/<model>/<benchmark>/<version>/judge_results_*.jsonl` and `score.json`. A
 * verdict is appended as it comes, so that a scoring that is killed loses none; at the end the files are in the order
 * of the answers. An answer without a verdict is in none of them.
 */
export class VerdictFiles {
  readonly #parts = new Map<string, { log: RowLog; rows: LoggedRow[] }>();

  constructor(
    private readonly root: string,
    private readonly parser: string,
    private readonly judge: string | undefined,
  ) {}

  /** Where the verdicts on answers of a place lie. */
  folder(place: ResponsePlace): string {
    return join(this.root, placeFolder(place));
  }

  /** @param known whether the file holds the verdict already */
  async add(place: ResponsePlace, verdict: Verdict, known: boolean): Promise<void> {
    const path = join(
      this.folder(place),
      verdictFileName(kindOfRow(verdict.answer.row), this.parser, this.judge),
    );
    const part = this.#parts.get(path) ?? { log: await RowLog.open(path), rows: [] };
    this.#parts.set(path, part);
    if (verdict.score === null) return;
    const row = verdictRow(verdict, this.parser);
    part.rows.push(row);
    if (!known) await part.log.append(row);
  }

  /** Puts the files in order and writes the scores. @throws PATH_UNWRITABLE */
  async finish(scores: ReadonlyMap<ResponsePlace, MixEvalScores>): Promise<void> {
    for (const { log, rows } of this.#parts.values()) {
      await write(log.path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    }
    const byModel = new Map<string, Record<string, number | null>>();
    for (const [place, own] of scores) {
      const document = scoreDocument(own);
      await write(join(this.folder(place), "score.json"), JSON.stringify(document, null, 4));
      // The original has one benchmark and version in a folder; here none may take another's place.
      const alone = [...scores.keys()].filter(({ model }) => model === place.model).length === 1;
      byModel.set(alone ? place.model : placeFolder(place), document);
    }
    await write(join(this.root, "score.json"), JSON.stringify(Object.fromEntries(byModel), null, 4));
  }

  async close(): Promise<void> {
    for (const { log } of this.#parts.values()) await log.close();
  }
}

/** `overall` and every benchmark as a fraction. */
function scoreDocument({ overall, benchmarks }: MixEvalScores): Record<string, number | null> {
  return Object.fromEntries([
    ["overall", overall],
    ...[...benchmarks].map(([name, { score }]) => [name, score] as const),
  ]);
}

function verdictRow(verdict: Verdict, parser: string): LoggedRow {
  const { answer, extracted, reply, score, parsed } = verdict;
  const { id, row, response, fields } = answer;
  const own = {
    ...(fields ?? row),
    ...row,
    id,
    response,
    ...(extracted !== undefined && { response_extracted: extracted }),
  };
  if (parser !== "judge") return { ...own, parsed_result: parsed, eval_result: score === 1 };
  return {
    ...own,
    judge_response: reply ?? null,
    ...(kindOfRow(row) === "multichoice" ? { judge_option: parsed } : { judge_score: score }),
  };
}

async function write(path: string, text: string): Promise<void> {
  await writeAtomic(path, text).catch((error: unknown) => {
    throw new ElenchusError("PATH_UNWRITABLE", `${path} cannot be written: ${messageOf(error)}.`, {
      cause: error,
    });
  });
}
