import { Pool, type PoolClient, type QueryResultRow } from "pg";
import { ElenchusError, messageOf, sentence } from "../../../base/index.js";
import { checkName, checkStage } from "../names.js";
import { shownAddress } from "../shownAddress.js";
import type {
  JsonObject,
  JsonValue,
  ListOptions,
  RowsOptions,
  Storage,
  StoredDocument,
  StoredRow,
} from "../storage.js";
import { migrate } from "./migrations.js";

/** How the database is used. */
export interface PostgresOptions {
  /** Schema of the tables, made where it is missing. Default `elenchus`. */
  readonly schema?: string;
  /** Most connections. Default 8. */
  readonly connections?: number;
  /** Seconds that a connection, and a statement, may take. Default 30. */
  readonly deadline?: number;
}

/** Rows that are read at once, and sent at once. */
const ROWS_AT_ONCE = 1000;
/** A field by which documents are found has at most so many characters. */
const LONGEST_FIELD = 512;

interface DocumentRow {
  id: string;
  version: number;
  value: string;
}

/** The storage in PostgreSQL, for a service and workers on several machines. */
export class PostgresStorage implements Storage {
  readonly place: string;
  readonly #pool: Pool;
  readonly #schema: string;

  private constructor(
    address: string,
    { schema = "elenchus", connections = 8, deadline = 30 }: PostgresOptions,
  ) {
    this.place = shownAddress(address);
    this.#schema = `"${schema.replaceAll('"', '""')}"`;
    this.#pool = new Pool({
      connectionString: address,
      max: connections,
      connectionTimeoutMillis: deadline * 1000,
      statement_timeout: deadline * 1000,
      // The server's own limit comes first; this one is for a server that does not answer.
      query_timeout: (deadline + 5) * 1000,
      application_name: "elenchus",
      keepAlive: true,
    });
    // An idle connection that breaks is replaced by the next query; without a listener it would end the process.
    this.#pool.on("error", () => {});
  }

  /** @throws STORAGE_FAILED where it cannot be reached or its tables are newer */
  static async open(address: string, options: PostgresOptions = {}): Promise<PostgresStorage> {
    const storage = new PostgresStorage(address, options);
    try {
      await storage.#connected((client) => migrate(client, storage.#schema));
    } catch (error) {
      await storage.close();
      throw error;
    }
    return storage;
  }

  async now(): Promise<number> {
    const [row] = await this.#query<{ now: string }>(
      "select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now",
    );
    return Number(row!.now);
  }

  async get(kind: string, id: string): Promise<StoredDocument | undefined> {
    checkDocument(kind, id);
    const [row] = await this.#query<DocumentRow>(
      `select id, version, value from ${this.#schema}.documents where kind = $1 and id = $2`,
      [kind, id],
    );
    return row && stored(kind, row);
  }

  async create(kind: string, id: string, value: JsonObject): Promise<StoredDocument | undefined> {
    checkDocument(kind, id);
    const text = JSON.stringify(value);
    const [row] = await this.#query<DocumentRow>(
      `insert into ${this.#schema}.documents (kind, id, version, fields, value) values ($1, $2, 1, $3, $4)
       on conflict do nothing returning id, version, value`,
      [kind, id, fieldsOf(value), text],
    );
    return row && stored(kind, row);
  }

  async replace(
    kind: string,
    id: string,
    version: number,
    value: JsonObject,
  ): Promise<StoredDocument | undefined> {
    checkDocument(kind, id);
    const [row] = await this.#query<DocumentRow>(
      `update ${this.#schema}.documents set version = version + 1, fields = $4, value = $5
       where kind = $1 and id = $2 and version = $3 returning id, version, value`,
      [kind, id, version, fieldsOf(value), JSON.stringify(value)],
    );
    return row && stored(kind, row);
  }

  async remove(kind: string, id: string): Promise<boolean> {
    checkDocument(kind, id);
    const removed = await this.#query(
      `delete from ${this.#schema}.documents where kind = $1 and id = $2 returning id`,
      [kind, id],
    );
    return removed.length > 0;
  }

  async list(
    kind: string,
    { where, first = "oldest", after, limit }: ListOptions = {},
  ): Promise<StoredDocument[]> {
    checkName("a kind of document", kind);
    if (after !== undefined) checkName("the id of a document", after);
    const [further, order] = first === "oldest" ? [">", "asc"] : ["<", "desc"];
    const documents = `${this.#schema}.documents`;
    const rows = await this.#query<DocumentRow>(
      `select id, version, value from ${documents} where kind = $1
         and ($2::text is null or position ${further} (select position from ${documents} where kind = $1 and id = $2))
         and ($3::jsonb is null or fields @> $3::jsonb)
       order by position ${order} limit $4`,
      [kind, after ?? null, where ? JSON.stringify({ [where.field]: where.equals }) : null, limit ?? null],
    );
    return rows.map((row) => stored(kind, row));
  }

  async append(owner: string, stage: string, rows: readonly StoredRow[]): Promise<number> {
    checkStageOf(owner, stage);
    let added = 0;
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      const some = rows.slice(start, start + ROWS_AT_ONCE);
      const made = await this.#query(
        `insert into ${this.#schema}.rows (owner, stage, index, row)
         select $1, $2, index, row from unnest($3::bigint[], $4::text[]) as new (index, row)
         on conflict do nothing returning index`,
        [owner, stage, some.map(({ index }) => index), some.map(({ row }) => JSON.stringify(row))],
      );
      added += made.length;
    }
    return added;
  }

  async push(owner: string, stage: string, rows: readonly JsonValue[]): Promise<number> {
    checkStageOf(owner, stage);
    const texts = rows.map((row) => JSON.stringify(row));
    return this.#connected(async (client) => {
      try {
        await client.query("begin");
        // Two that push at once would both take the same place.
        await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`${owner}\n${stage}`]);
        const { rows: found } = await client.query<{ next: string }>(
          `select coalesce(max(index) + 1, 0) as next from ${this.#schema}.rows where owner = $1 and stage = $2`,
          [owner, stage],
        );
        const next = Number(found[0]!.next);
        await client.query(
          `insert into ${this.#schema}.rows (owner, stage, index, row)
           select $1, $2, $3::bigint + place - 1, row from unnest($4::text[]) with ordinality as new (row, place)`,
          [owner, stage, next, texts],
        );
        await client.query("commit");
        return next;
      } catch (error) {
        await client.query("rollback").catch(() => {});
        throw error;
      }
    });
  }

  async has(owner: string, stage: string, index: number): Promise<boolean> {
    checkStageOf(owner, stage);
    const found = await this.#query(
      `select 1 from ${this.#schema}.rows where owner = $1 and stage = $2 and index = $3`,
      [owner, stage, index],
    );
    return found.length > 0;
  }

  async count(owner: string, stage: string): Promise<number> {
    checkStageOf(owner, stage);
    const [row] = await this.#query<{ count: string }>(
      `select count(*) as count from ${this.#schema}.rows where owner = $1 and stage = $2`,
      [owner, stage],
    );
    return Number(row!.count);
  }

  async *rows(
    owner: string,
    stage: string,
    { from = 0, limit = Number.POSITIVE_INFINITY }: RowsOptions = {},
  ): AsyncGenerator<StoredRow> {
    checkStageOf(owner, stage);
    let [next, left] = [from, limit];
    while (left > 0) {
      const wanted = Math.min(left, ROWS_AT_ONCE);
      const rows = await this.#query<{ index: string; row: string }>(
        `select index, row from ${this.#schema}.rows
         where owner = $1 and stage = $2 and index >= $3 order by index limit $4`,
        [owner, stage, next, wanted],
      );
      for (const { index, row } of rows) yield { index: Number(index), row: JSON.parse(row) as JsonValue };
      if (rows.length < wanted) return;
      left -= rows.length;
      next = Number(rows[rows.length - 1]!.index) + 1;
    }
  }

  async stages(owner: string): Promise<{ stage: string; count: number }[]> {
    checkName("the owner of rows", owner);
    const rows = await this.#query<{ stage: string; count: string }>(
      `select stage, count(*) as count from ${this.#schema}.rows where owner = $1 group by stage`,
      [owner],
    );
    return rows
      .map(({ stage, count }) => ({ stage, count: Number(count) }))
      .sort((a, b) => (a.stage < b.stage ? -1 : 1));
  }

  async removeRows(owner: string, stage?: string): Promise<void> {
    checkStageOf(owner, stage ?? "any");
    await this.#query(
      `delete from ${this.#schema}.rows where owner = $1 and ($2::text is null or stage = $2)`,
      [owner, stage ?? null],
    );
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  /** One connection for several statements. After an error it is not used again: who knows what is under way on it. */
  #connected<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    return this.#safely(async () => {
      const client = await this.#pool.connect();
      // The statement at hand fails by itself; without a listener a connection that breaks would end the process.
      const broken = () => {};
      client.on("error", broken);
      let failed = true;
      try {
        const done = await work(client);
        failed = false;
        return done;
      } finally {
        if (!failed) client.off("error", broken);
        client.release(failed);
      }
    });
  }

  async #query<R extends QueryResultRow>(text: string, values: unknown[] = []): Promise<R[]> {
    return this.#safely(async () => (await this.#pool.query<R>(text, values)).rows);
  }

  async #safely<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new ElenchusError(
        "STORAGE_FAILED",
        `The database ${this.place} cannot be used: ${sentence(messageOf(error))} Expected a PostgreSQL server, version 11 or newer, and a user who may make tables; see service.database.`,
        { cause: error },
      );
    }
  }
}

function checkDocument(kind: string, id: string): void {
  checkName("a kind of document", kind);
  checkName("the id of a document", id);
}

function checkStageOf(owner: string, stage: string): void {
  checkName("the owner of rows", owner);
  checkStage(stage);
}

function stored(kind: string, { id, version, value }: DocumentRow): StoredDocument {
  return { kind, id, version, value: JSON.parse(value) as JsonObject };
}

/** The strings at the top of a document that `jsonb` can carry, as JSON. */
function fieldsOf(value: JsonObject): string {
  const fields = Object.entries(value).filter(([name, field]) => {
    return [name, field].every(
      (text) => typeof text === "string" && text.length <= LONGEST_FIELD && !/[\p{Cs}\0]/u.test(text),
    );
  });
  return JSON.stringify(Object.fromEntries(fields));
}
