/** A value that JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A document as it lies in a storage. */
export interface StoredDocument {
  readonly kind: string;
  readonly id: string;
  /** 1 when created, one more with every replacement. */
  readonly version: number;
  readonly value: JsonObject;
}

/** One row of a stage. */
export interface StoredRow {
  /** Not below 0; unique within its owner and stage. */
  readonly index: number;
  readonly row: JsonValue;
}

/** Which documents of a kind, and in which order. */
export interface ListOptions {
  /** Only documents whose top-level field is this string. */
  readonly where?: { readonly field: string; readonly equals: string };
  /** Order of creation. Default `oldest`. */
  readonly first?: "oldest" | "newest";
  /** Only what follows this document in that order; an unknown id gives an empty list. */
  readonly after?: string;
  /** Most documents. Default all. */
  readonly limit?: number;
}

/** Which rows of a stage; always in the order of their index. */
export interface RowsOptions {
  /** The first index. Default 0. */
  readonly from?: number;
  /** Most rows. Default all. */
  readonly limit?: number;
}

/**
 * Where the service keeps everything: JSON documents by kind and id, and rows that are only ever added, by
 * owner (a job or a data set), stage and index. Several processes may have one storage open; what a method
 * has promised to store survives a kill at any point after it resolved.
 * @throws every method STORAGE_FAILED, when the place cannot be reached, read or written
 */
export interface Storage {
  /** Where it is, for a person, without secrets. */
  readonly place: string;

  /** Milliseconds since 1970 on the one clock that all who share this storage go by. */
  now(): Promise<number>;

  /** @returns undefined where there is none */
  get(kind: string, id: string): Promise<StoredDocument | undefined>;
  /** Creates a document. @returns undefined, and changes nothing, where the id is taken */
  create(kind: string, id: string, value: JsonObject): Promise<StoredDocument | undefined>;
  /** Replaces a document that is still of that version. @returns undefined, and changes nothing, where it is not */
  replace(kind: string, id: string, version: number, value: JsonObject): Promise<StoredDocument | undefined>;
  /** Removes a document, not its rows. @returns whether there was one */
  remove(kind: string, id: string): Promise<boolean>;
  list(kind: string, options?: ListOptions): Promise<StoredDocument[]>;

  /**
   * Stores rows, all flushed when it resolves. An index that has a row already keeps it: to say a thing twice is
   * to say it once.
   * @returns how many of them were new
   */
  append(owner: string, stage: string, rows: readonly StoredRow[]): Promise<number>;
  /** Stores rows behind the last of the stage, one after the other. @returns the index of the first */
  push(owner: string, stage: string, rows: readonly JsonValue[]): Promise<number>;
  has(owner: string, stage: string, index: number): Promise<boolean>;
  count(owner: string, stage: string): Promise<number>;
  /** Rows in the order of their index, read as they are asked for; rows added meanwhile may or may not come. */
  rows(owner: string, stage: string, options?: RowsOptions): AsyncIterable<StoredRow>;
  /** The stages that have rows, in the order of their names. */
  stages(owner: string): Promise<{ readonly stage: string; readonly count: number }[]>;
  /** Removes the rows of a stage, or of all. */
  removeRows(owner: string, stage?: string): Promise<void>;

  close(): Promise<void>;
}
