import type { Db } from '../../../src/storage/db.ts';
import { openPostgres } from '../../../src/storage/engines/postgres/postgres.ts';

/** Faults that can be injected into a PostgreSQL server. */
export interface ServerFaults {
  /** Makes commits that wrote data take half a second longer while holding their locks. */
  slow(): Promise<void>;
  /** Makes inserts fail as on a full disk. */
  full(): Promise<void>;
  clear(): Promise<void>;
  close(): Promise<void>;
}

const LOCKS = { slow: 472_001, full: 472_002 };

/**
 * Connects to the server. Advisory locks switch the faults on: all sessions see them immediately,
 * and they end with this session.
 */
export async function serverFaults(url: string): Promise<ServerFaults> {
  const db = openPostgres({ url, poolSize: 1 });
  await install(db);

  async function hold(lock: number): Promise<void> {
    await db.query('select pg_advisory_lock($1)', [lock]);
  }

  return {
    slow: () => hold(LOCKS.slow),
    full: () => hold(LOCKS.full),
    clear: async () => void (await db.query('select pg_advisory_unlock_all()')),
    close: () => db.close(),
  };
}

function install(db: Db): Promise<void> {
  return db.execute(`
    create function test_slow() returns trigger language plpgsql as $$ begin
      if coalesce(current_setting('test.slow', true), '') <> pg_current_xact_id()::text
        and exists (select from pg_locks where locktype = 'advisory' and objid = ${LOCKS.slow})
      then
        perform set_config('test.slow', pg_current_xact_id()::text, true), pg_sleep(0.5);
      end if;
      return null;
    end $$;
    create function test_full() returns trigger language plpgsql as $$ begin
      if exists (select from pg_locks where locktype = 'advisory' and objid = ${LOCKS.full}) then
        raise exception 'could not extend file: no space' using errcode = '53100';
      end if;
      return null;
    end $$;
    do $$ declare name text; begin
      for name in select relname from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace and not relispartition
      loop
        execute format('create constraint trigger test_slow after insert or update or delete on %I
          deferrable initially deferred for each row execute function test_slow()', name);
        execute format('create trigger test_full before insert on %I
          for each statement execute function test_full()', name);
      end loop;
    end $$;`);
}
