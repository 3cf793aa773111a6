import type { ClientBase } from "pg";

/**
 * What makes each version of the tables out of the one before; the first makes them out of nothing. A version that
 * was released is never changed, a new one is added at the end. `$schema` stands for the schema's quoted name.
 *
 * JSON is kept as text: `jsonb` would reorder keys, and neither type takes every string that JSON can carry. What
 * documents are found by stands beside them in `fields`.
 */
const MIGRATIONS: readonly string[] = [
  `create table $schema.documents (
     kind text collate "C" not null,
     id text collate "C" not null,
     position bigint generated always as identity,
     version integer not null,
     fields jsonb not null,
     value text not null,
     primary key (kind, id)
   );
   create index documents_by_position on $schema.documents (kind, position);
   create index documents_by_field on $schema.documents using gin (fields jsonb_path_ops);
   create table $schema.rows (
     owner text collate "C" not null,
     stage text collate "C" not null,
     index bigint not null,
     row text not null,
     primary key (owner, stage, index)
   );`,
];

/** Any number, the same in every process: only one migrates at a time. */
const MIGRATION_LOCK = 5_362_741;

/**
 * Brings the tables of a schema, quoted, to the version that this product knows; one step at a time, each whole
 * or not at all.
 * @throws Error where they are newer
 */
export async function migrate(client: ClientBase, schema: string): Promise<void> {
  await client.query("begin");
  try {
    await client.query("select pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    await client.query(`create schema if not exists ${schema}`);
    await client.query(
      `create table if not exists ${schema}.migrations (version integer primary key, made_at timestamptz not null default now())`,
    );
    const { rows } = await client.query<{ version: number | null }>(
      `select max(version) as version from ${schema}.migrations`,
    );
    const present = rows[0]?.version ?? 0;
    if (present > MIGRATIONS.length) {
      throw new Error(
        `its tables have version ${present}, this version of Elenchus knows up to ${MIGRATIONS.length}; use a newer Elenchus`,
      );
    }
    for (let version = present + 1; version <= MIGRATIONS.length; version++) {
      await client.query(MIGRATIONS[version - 1]!.replaceAll("$schema", schema));
      await client.query(`insert into ${schema}.migrations (version) values ($1)`, [version]);
    }
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}
