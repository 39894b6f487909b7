import type { Db } from '../../src/storage/db.ts';
import { StoreUnavailableError } from '../../src/storage/errors.ts';

/** Tables with rows from migrations that tests change. */
const FILLED = ['plan', 'replica_beat', 'version_clock', 'webhook_cursor'];

interface Reusable {
  db: Db;
  schema: string;
  /** The rows from migrations, as JSON, keyed by table. */
  rows: ReadonlyMap<string, string>;
}

const CLOSED = 'The store is closed.';

/** Stores that tests have closed. */
const closed: Reusable[] = [];

/**
 * Returns a store that is emptied instead of closed, because opening one takes ten times as long.
 * A store whose schema a test has changed, or that cannot be emptied, is closed.
 */
export async function reusableStore(
  open: () => Promise<Db>,
  empty: (db: Db) => Promise<void>,
): Promise<Db> {
  const store = closed.pop() ?? (await describeStore(await open()));
  let isClosed = false;
  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    const isReset = await reset(store, empty).catch(() => false);
    if (isReset) closed.push(store);
    else await store.db.close();
  }
  return new Proxy(store.db, {
    get(db, name) {
      if (name === 'close') return close;
      const value: unknown = Reflect.get(db, name, db);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        if (isClosed) return refuse(name);
        return Reflect.apply(value, db, args);
      };
    },
  });
}

/** Replies as a closed store does. */
function refuse(method: string | symbol): unknown {
  if (method === 'failureReason') return CLOSED;
  return Promise.reject(new StoreUnavailableError(CLOSED));
}

async function describeStore(db: Db): Promise<Reusable> {
  const rows = new Map<string, string>();
  for (const table of FILLED) {
    const [row] = await db.query<{ rows: string }>(
      `select jsonb_agg(t)::text as rows from ${table} t`,
    );
    rows.set(table, row?.rows ?? '[]');
  }
  return { db, schema: await schemaOf(db), rows };
}

/** Returns true if the store is as it was when it was opened. */
async function reset(
  { db, schema, rows }: Reusable,
  empty: (db: Db) => Promise<void>,
): Promise<boolean> {
  await db.execute('reset all');
  await empty(db);
  for (const [table, json] of rows) {
    await db.query(`delete from ${table}`);
    await db.query(
      `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      [json],
    );
  }
  return (await schemaOf(db)) === schema;
}

/** Returns a text that differs if tables, columns, indexes, functions or triggers do. */
async function schemaOf(db: Db): Promise<string> {
  const [row] = await db.query<{ hash: string }>(
    `select md5(concat(
       (select string_agg(concat(oid, relname, relnatts, relchecks), ',' order by oid) from pg_class
         where relnamespace = 'public'::regnamespace),
       (select string_agg(concat(oid, proname, md5(prosrc)), ',' order by oid) from pg_proc
         where pronamespace = 'public'::regnamespace),
       (select string_agg(concat(oid, tgname, tgenabled), ',' order by oid) from pg_trigger))) as hash`,
  );
  return row?.hash ?? '';
}
