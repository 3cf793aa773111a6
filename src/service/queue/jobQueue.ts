/**
 * What hands jobs to workers. It only carries the word that a job waits; whether it does, and who gets it, the
 * storage decides. A word that is lost is said again by the workers' round through the storage, and one that is said
 * twice does no harm.
 */
export interface JobQueue {
  /** Where it is, for a person, without secrets. */
  readonly place: string;
  /** Says that a job waits. @throws QUEUE_FAILED */
  announce(id: string): Promise<void>;
  /**
   * Begins to take jobs.
   * @param work does what can be done about a job now; never rejects
   * @param concurrency most jobs at once
   */
  take(work: (id: string) => Promise<void>, concurrency: number): Promise<Taking>;
  close(): Promise<void>;
}

/** A worker's share in a queue. */
export interface Taking {
  /** Takes no more; resolves when the work at hand is done. */
  stop(): Promise<void>;
}
