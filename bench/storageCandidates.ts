import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EmbeddedStorage } from "../src/service/storage/index.js";

/** What the bench asks of a storage. */
export interface Candidate {
  /** Stores a row for good, unless its index has one. */
  append(stage: string, index: number, row: string): Promise<unknown>;
  create(id: string, value: string): Promise<unknown>;
  /** @returns how many documents there are, having read all */
  list(): Promise<number>;
  count(stage: string): Promise<number>;
  close(): Promise<unknown>;
}

/** Packages of a candidate, and how it is opened in a folder. */
export interface CandidateEntry {
  readonly packages: readonly string[];
  open(folder: string): Promise<Candidate>;
}

export const PEERS = fileURLToPath(new URL("./peers/storage", import.meta.url));
const requirePeer = createRequire(join(PEERS, "package.json"));

const TABLES = `create table if not exists rows (stage text, i integer, row text, primary key (stage, i));
create table if not exists documents (position integer primary key, id text unique, value text);`;
const APPEND = "insert into rows values (?, ?, ?) on conflict do nothing";
const CREATE = "insert into documents (id, value) values (?, ?) on conflict do nothing";
const LIST = "select id, value from documents order by position";
const COUNT = "select count(*) as n from rows where stage = ?";

export const CANDIDATES: Readonly<Record<string, CandidateEntry>> = {
  "files of Elenchus": { packages: [], open: openOwn },
  "@libsql/client": { packages: ["@libsql", "@neon-rs"], open: openLibsql },
  "node-sqlite3-wasm": { packages: ["node-sqlite3-wasm"], open: openWasm },
  "sql.js": { packages: ["sql.js"], open: openSqlJs },
  "@electric-sql/pglite": { packages: ["@electric-sql"], open: openPglite },
};

async function openOwn(folder: string): Promise<Candidate> {
  const storage = await EmbeddedStorage.open(folder);
  return {
    append: (stage, index, row) => storage.append("bench", stage, [{ index, row }]),
    create: (id, value) => storage.create("job", id, { value }),
    list: async () => (await storage.list("job")).length,
    count: (stage) => storage.count("bench", stage),
    close: () => storage.close(),
  };
}

/** SQLite as a native module, every transaction flushed. */
async function openLibsql(folder: string): Promise<Candidate> {
  const { createClient } = requirePeer("@libsql/client") as {
    createClient(options: object): {
      execute(statement: string | { sql: string; args: unknown[] }): Promise<{ rows: { n: number }[] }>;
      executeMultiple(sql: string): Promise<void>;
      close(): void;
    };
  };
  const database = createClient({ url: `file:${join(folder, "db")}` });
  for (const pragma of ["busy_timeout=10000", "journal_mode=wal", "synchronous=full"]) {
    await database.execute(`pragma ${pragma}`);
  }
  await database.executeMultiple(TABLES);
  return {
    append: (...args) => database.execute({ sql: APPEND, args }),
    create: (...args) => database.execute({ sql: CREATE, args }),
    list: async () => (await database.execute(LIST)).rows.length,
    count: async (stage) => (await database.execute({ sql: COUNT, args: [stage] })).rows[0]!.n,
    close: () => Promise.resolve(database.close()),
  };
}

/** SQLite as WebAssembly on Node's files. A lock is a folder; whoever finds one waits. */
async function openWasm(folder: string): Promise<Candidate> {
  const { Database } = requirePeer("node-sqlite3-wasm") as {
    Database: new (
      path: string,
    ) => {
      exec(sql: string): void;
      run(sql: string, values: unknown[]): void;
      all(sql: string): unknown[];
      get(sql: string, values: unknown[]): { n: number };
      close(): void;
    };
  };
  const patiently = async <T>(work: () => T): Promise<T> => {
    for (const deadline = performance.now() + 10_000; ; ) {
      try {
        return work();
      } catch (error) {
        if (!/locked/.test(String(error)) || performance.now() > deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    }
  };
  const database = new Database(join(folder, "db"));
  await patiently(() => database.exec(`pragma synchronous=full; ${TABLES}`));
  return {
    append: (...values) => patiently(() => database.run(APPEND, values)),
    create: (...values) => patiently(() => database.run(CREATE, values)),
    list: () => patiently(() => database.all(LIST).length),
    count: (stage) => patiently(() => database.get(COUNT, [stage]).n),
    close: () => Promise.resolve(database.close()),
  };
}

/** SQLite in memory; what is stored for good is the whole file, written anew. */
async function openSqlJs(folder: string): Promise<Candidate> {
  const load = requirePeer("sql.js") as () => Promise<{
    Database: new (
      bytes?: Uint8Array,
    ) => {
      run(sql: string, values?: unknown[]): void;
      exec(sql: string, values?: unknown[]): { values: unknown[][] }[];
      export(): Uint8Array;
      close(): void;
    };
  }>;
  const path = join(folder, "db");
  const { Database } = await load();
  let bytes: Uint8Array | undefined;
  try {
    bytes = readFileSync(path);
  } catch {
    bytes = undefined;
  }
  const database = new Database(bytes);
  database.run(TABLES);
  const save = () => {
    writeFileSync(`${path}.new`, database.export(), { flush: true });
    renameSync(`${path}.new`, path);
  };
  const run =
    (sql: string) =>
    async (...values: unknown[]) => {
      database.run(sql, values);
      save();
    };
  return {
    append: run(APPEND),
    create: run(CREATE),
    list: async () => database.exec(LIST)[0]?.values.length ?? 0,
    count: async (stage) => Number(database.exec(COUNT, [stage])[0]!.values[0]![0]),
    close: () => Promise.resolve(database.close()),
  };
}

/** PostgreSQL as WebAssembly, in one process. */
async function openPglite(folder: string): Promise<Candidate> {
  const { PGlite } = requirePeer("@electric-sql/pglite") as {
    PGlite: {
      create(path: string): Promise<{
        exec(sql: string): Promise<unknown>;
        query(sql: string, values?: unknown[]): Promise<{ rows: { n: number }[] }>;
        close(): Promise<void>;
      }>;
    };
  };
  const database = await PGlite.create(join(folder, "pg"));
  await database.exec(TABLES.replace("integer primary key", "bigserial primary key"));
  const query = (sql: string) => {
    let place = 0;
    const numbered = sql.replace(/\?/g, () => `$${++place}`);
    return (...values: unknown[]) => database.query(numbered, values);
  };
  return {
    append: query(APPEND),
    create: query(CREATE),
    list: async () => (await query(LIST)()).rows.length,
    count: async (stage) => Number((await query(COUNT)(stage)).rows[0]!.n),
    close: () => database.close(),
  };
}
