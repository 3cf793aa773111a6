import type { RunStatus } from "../manifest.js";

/** The numbers of one round. */
export interface MirroredRow {
  readonly round: number;
  /** By column, in the order of the record. */
  readonly scalars: ReadonlyMap<string, number>;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** The run whose numbers are mirrored. */
export interface MirroredRun {
  readonly runId: string;
  readonly folder: string;
  /** `general.project` and `general.group`. */
  readonly project: string;
  readonly group: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Another place that gets every number of the record. What it throws ends the mirroring there, and nothing else. */
export interface Mirror {
  readonly name: string;
  /**
   * @param known what it gave when the run began, where the run goes on
   * @returns by what the run is known there
   */
  begin(run: MirroredRun, known: string | undefined): Promise<string>;
  log(row: MirroredRow): Promise<void>;
  end(status: Exclude<RunStatus, "running">, time: number): Promise<void>;
}
