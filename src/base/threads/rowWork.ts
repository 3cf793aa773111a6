/** Work on rows as a thread can make it: plain data, since nothing else goes to a thread. */
export interface ThreadWork {
  /** File URL of a module that exports `makeRowWork`. */
  readonly module: string;
  /** What `makeRowWork` is given. */
  readonly params: unknown;
  /** Whether it may need what the user's modules register; they are loaded then. */
  readonly modules: boolean;
}

/** Work on rows, one at a time. What goes in and comes out can be cloned. */
export type RowWork = (row: unknown, index: number) => unknown;

/** What a module of row work exports as `makeRowWork`. */
export type MakeRowWork = (params: unknown) => RowWork | Promise<RowWork>;

/** A row, and its place in its whole. */
export interface PlacedInput {
  readonly row: unknown;
  readonly index: number;
}

/** What became of a row. */
export type RowOutcome =
  | { readonly value: unknown }
  | {
      readonly error: {
        /** Of the catalogue; absent for an error that is not one of the product's. */
        readonly code?: string | undefined;
        readonly message: string;
      };
    };

/** What a thread is started with. */
export interface ThreadStart {
  /** The user's modules. */
  readonly modules: readonly string[];
  /** One shared Int32: the place in its piece of the row under way, -1 for none. */
  readonly state: SharedArrayBuffer;
}

/** What a thread is sent. */
export type ToThread =
  | {
      readonly work: number;
      /** Where the thread does not have that work yet. */
      readonly make?: ThreadWork | undefined;
      readonly rows: readonly PlacedInput[];
    }
  | { readonly forget: number };

/** What a thread answers: outcomes of the first rows of a piece, at least one; or why the work cannot be made. */
export type FromThread =
  | { readonly outcomes: readonly RowOutcome[] }
  | { readonly unmade: { readonly code?: string | undefined; readonly message: string } };
