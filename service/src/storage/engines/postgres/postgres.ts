import pg from 'pg';
import { type Clock, systemClock } from '../../../platform/clock.ts';
import type { Db, SnapshotView, Row, SqlValue, Transaction, TransactionOptions } from '../../db.ts';
import type { CommitJournal, JournalEntry } from '../../commit-journal.ts';
import { StoreUnavailableError, TransactionAbortedError } from '../../errors.ts';
import { PLAN_SETTINGS, PreparedPlans } from '../prepared-plans.ts';
import { MigrationError } from '../../schema/migrate.ts';
import { NestedUseGuard } from '../nested-use-guard.ts';
import { encodeParameters } from '../../values/parameters.ts';
import { convertConnectErrors, convertErrors } from './connection-errors.ts';
import {
  ConnectionSettings,
  type Pooler,
  queryWithSettings,
  type SettingsScope,
} from './connection-settings.ts';
import { type OnHistoryChanged, ServerCheck } from './server-check.ts';
import { copyLines, copyRowsOut } from './postgres-copy.ts';
import { type HangWatch, watchForHangs } from './hang-watch.ts';
import { parserOf } from '../../values/types.ts';

export interface PostgresOptions {
  url: string;
  /** Default: auto. */
  pooler?: Pooler | undefined;
  /** Size of the connection pool. Default: 10. */
  poolSize?: number | undefined;
  /** Statement timeout in milliseconds. Default: 60,000. */
  statementTimeoutMs?: number | undefined;
  /**
   * Maximum wait of a query for a lock, in milliseconds. Default: 4,000. Transactions wait until the
   * statement timeout.
   */
  lockTimeoutMs?: number | undefined;
  /** Maximum wait for a free connection, in milliseconds. Default: 5,000. */
  connectTimeoutMs?: number | undefined;
  /** Records what committed transactions have noted. */
  journal?: CommitJournal | undefined;
  /** Makes every new connection reject a standby, and calls this after a failover. */
  onHistoryChanged?: OnHistoryChanged | undefined;
}

/**
 * Time after which a connection is checked again behind a pooler, which changes the server without
 * closing the connection.
 */
const POOLED_CHECK_MS = 1_000;
/** Idle time after which the operating system probes a connection. */
const KEEP_ALIVE_MS = 10_000;

const NO_LOCK_TIMEOUT = 'set local lock_timeout = 0';
const NO_LIMITS = `set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0; ${NO_LOCK_TIMEOUT}`;

/** Opens a connection pool for a PostgreSQL server. It connects only when the first query runs. */
export function openPostgres(options: PostgresOptions): Db {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize ?? 10,
    application_name: 'afterbell',
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser: (oid: number) => parserOf(oid) },
  });
  const { onHistoryChanged } = options;
  const check = onHistoryChanged === undefined ? null : new ServerCheck(onHistoryChanged);
  const clock = systemClock();
  return new PostgresStore(pool, {
    clock,
    check,
    journal: options.journal,
    settings: new ConnectionSettings(options.pooler ?? 'auto', {
      statementTimeoutMs: options.statementTimeoutMs ?? 60_000,
      lockTimeoutMs: options.lockTimeoutMs ?? 4_000,
    }),
    hangWatch: watchForHangs({ url: options.url, clock, history: () => check?.history ?? null }),
  });
}

/** Throws if the server is older than PostgreSQL 15. */
export async function rejectOldServer(db: Db): Promise<void> {
  // Returns one row: the server's version as a number and as text.
  const [row] = await db.query<{ number: number; shown: string }>(
    `select current_setting('server_version_num')::int as number,
            current_setting('server_version') as shown`,
  );
  if (row !== undefined && row.number >= 150_000) return;
  throw new MigrationError(
    `This server is PostgreSQL ${row?.shown ?? 'of an unknown version'}; version 15 or newer is required: ` +
      'set DATABASE_URL to another server.',
  );
}

interface StoreDeps {
  clock: Pick<Clock, 'monotonicMs'>;
  check: ServerCheck | null;
  journal: CommitJournal | undefined;
  settings: ConnectionSettings;
  hangWatch: HangWatch;
}

/** A connection of the pool for the duration of one call. */
interface Connection {
  client: pg.PoolClient;
  scope: SettingsScope;
}

class PostgresStore implements Db {
  readonly engine = 'postgres';
  readonly #pool: pg.Pool;
  readonly #settings: ConnectionSettings;
  readonly #scopes = new WeakMap<pg.PoolClient, SettingsScope>();
  readonly #clock: StoreDeps['clock'];
  readonly #check: ServerCheck | null;
  readonly #journal: CommitJournal | undefined;
  readonly #checked = new WeakMap<pg.PoolClient, { atMs: number; history: string | null }>();
  readonly #own = new NestedUseGuard();
  readonly #plans = new PreparedPlans();
  readonly #hangWatch: HangWatch;
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(pool: pg.Pool, deps: StoreDeps) {
    this.#pool = pool;
    this.#clock = deps.clock;
    this.#check = deps.check;
    this.#journal = deps.journal;
    this.#settings = deps.settings;
    this.#hangWatch = deps.hangWatch;
    // An idle connection closed by the server is replaced on the next call. Without a listener, the
    // error event would end the process.
    pool.on('error', ignore);
    // A server that is killed may send its error in the same packet that ends the handshake, before
    // any call uses the connection. The first call on this connection then fails.
    pool.on('connect', (client) => client.on('error', ignore));
  }

  async query<T extends Row = Row>(sql: string, params: readonly SqlValue[] = []): Promise<T[]> {
    this.#own.refuse();
    return this.#withConnection(({ client, scope }) =>
      run<T>(client, sql, params, {
        settings: scope === 'transaction' ? this.#settings.statement : undefined,
      }),
    );
  }

  async execute(script: string): Promise<void> {
    this.#own.refuse();
    await this.#withConnection(({ client, scope }) =>
      convertErrors(client.query([...this.#first(scope), script].join('; '))),
    );
  }

  async transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    { keepsPlans = false }: TransactionOptions = {},
  ): Promise<T> {
    this.#own.refuse();
    return this.#withConnection(async (connection) => {
      const { client, scope } = connection;
      await convertErrors(client.query(this.#begin(connection, keepsPlans)));
      const namesStatements = keepsPlans && scope === 'session';
      let open = true;
      const refuseWhenOver = (): void => {
        if (!open) throw new Error('This transaction has ended, so its handle cannot be used.');
      };
      const query = async <R extends Row>(sql: string, params: readonly SqlValue[] = []) => {
        refuseWhenOver();
        const name = namesStatements ? this.#plans.nameOf(sql) : undefined;
        return run<R>(client, sql, params, { name });
      };
      const copy = async (into: string, lines: string) => {
        refuseWhenOver();
        await convertErrors(copyLines(client, `copy ${into} from stdin`, lines));
      };
      const notes: JournalEntry[] = [];
      const note = (entries: readonly JournalEntry[]) => void notes.push(...entries);
      let result: T;
      try {
        result = await this.#own.run(() => work({ query, copy, note, __transaction: true }));
      } catch (error) {
        open = false;
        await convertErrors(client.query('rollback'));
        throw error;
      }
      open = false;
      // After a failed statement, COMMIT rolls back and reports no error.
      const { command } = await convertErrors(client.query('commit'));
      if (command !== 'COMMIT') throw new TransactionAbortedError();
      this.#journal?.add(notes);
      return result;
    });
  }

  async readSnapshot<T>(work: (view: SnapshotView) => Promise<T>): Promise<T> {
    this.#own.refuse();
    return this.#withConnection(async ({ client, scope }) => {
      await convertErrors(client.query('begin isolation level repeatable read, read only'));
      try {
        // Reading a large store takes longer than the service's statement timeout allows.
        await convertErrors(client.query([...this.#first(scope), NO_LIMITS].join('; ')));
        return await work({
          query: (sql, params = []) => run(client, sql, params),
          copyOut: (select) => convertErrors(copyRowsOut(client, select)),
        });
      } finally {
        await convertErrors(client.query('rollback')).catch(ignore);
      }
    });
  }

  /** Returns the statements that begin a transaction, as one script. */
  #begin({ client, scope }: Connection, keepsPlans: boolean): string {
    // Transactions of several processes may wait for each other, so only their statements have a
    // time limit.
    if (scope === 'session') {
      const begin = keepsPlans ? this.#plans.begin(client) : 'begin';
      return `${begin}; ${NO_LOCK_TIMEOUT}`;
    }
    const plans = keepsPlans ? PLAN_SETTINGS : [];
    return ['begin', ...this.#first(scope), ...plans, NO_LOCK_TIMEOUT].join('; ');
  }

  /** Returns what a transaction needs first on a connection of this scope. */
  #first(scope: SettingsScope): string[] {
    return scope === 'transaction' ? [this.#settings.script] : [];
  }

  async close(): Promise<void> {
    // Running calls must end first. Otherwise, calls that are waiting for a connection would never
    // settle.
    this.#closing ??= Promise.allSettled(this.#running).then(() => {
      this.#hangWatch.stop();
      return this.#pool.end();
    });
    await this.#closing;
  }

  async #withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw new StoreUnavailableError('The store is closed.');
    const call = this.#runWithConnection(work);
    this.#running.add(call);
    try {
      return await call;
    } finally {
      this.#running.delete(call);
    }
  }

  async #runWithConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    const ended = this.#hangWatch.callStarted(client);
    let broken = false;
    const onError = (): void => {
      broken = true;
    };
    client.on('error', onError);
    try {
      const scope = await this.#scopeOf(client);
      await this.#checkServer(client, scope);
      return await work({ client, scope });
    } catch (error) {
      broken ||= error instanceof StoreUnavailableError;
      throw error;
    } finally {
      ended();
      client.off('error', onError);
      client.release(broken);
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await convertConnectErrors(this.#pool.connect());
      const checked = this.#checked.get(client);
      if (checked === undefined || checked.history === this.#check?.history) return client;
      // A connection to the server before a failover, which may still accept writes.
      client.release(true);
    }
  }

  async #scopeOf(client: pg.PoolClient): Promise<SettingsScope> {
    const known = this.#scopes.get(client);
    if (known !== undefined) return known;
    const scope = await convertErrors(this.#settings.prepare(client));
    this.#scopes.set(client, scope);
    return scope;
  }

  /** Checks each new connection. Behind a pooler, it may lead to another server later. */
  async #checkServer(client: pg.PoolClient, scope: SettingsScope): Promise<void> {
    if (this.#check === null) return;
    const nowMs = this.#clock.monotonicMs();
    const atMs = this.#checked.get(client)?.atMs;
    if (atMs !== undefined && (scope === 'session' || nowMs - atMs < POOLED_CHECK_MS)) return;
    const history = await this.#check.run({
      query: (sql, params = []) => run(client, sql, params),
    });
    this.#checked.set(client, { atMs: nowMs, history });
  }
}

async function run<T extends Row>(
  client: pg.PoolClient,
  sql: string,
  params: readonly SqlValue[],
  { name, settings }: { name?: string | undefined; settings?: string | undefined } = {},
): Promise<T[]> {
  // Always uses the extended protocol, which allows one statement per call, as on the embedded
  // store.
  const values = encodeParameters(sql, params);
  const preparedName = name === undefined ? {} : { name };
  const statement = { ...preparedName, text: sql, values, queryMode: 'extended' as const };
  const result = await convertErrors(
    settings === undefined
      ? client.query<T>(statement)
      : queryWithSettings<T>(client, settings, statement),
  );
  return result.rows;
}

function ignore(): void {}
