import pg from 'pg';
import { systemClock } from '../../../platform/clock.ts';
import type { Db, SnapshotView, Row, SqlValue, Transaction, TransactionOptions } from '../../db.ts';
import {
  SqlError,
  sqlErrorFacts,
  StoreUnavailableError,
  TransactionAbortedError,
} from '../../errors.ts';
import { PreparedPlans } from '../prepared-plans.ts';
import { MigrationError } from '../../schema/migrate.ts';
import { NestedUseGuard } from '../nested-use-guard.ts';
import { encodeParameters } from '../../values/parameters.ts';
import { copyLines, copyRowsOut } from './postgres-copy.ts';
import { type HangWatch, watchForHangs } from './hang-watch.ts';
import { parserOf } from '../../values/types.ts';

export interface PostgresOptions {
  url: string;
  /** Size of the connection pool. Default: 10. */
  poolSize?: number | undefined;
  /** Statement timeout in milliseconds. Default: 60,000. */
  statementTimeoutMs?: number | undefined;
  /** Maximum wait for a free connection, in milliseconds. Default: 5,000. */
  connectTimeoutMs?: number | undefined;
}

// The first four options fix how values are printed, whatever the server's defaults are. The last
// option is for data in memory or on SSDs, where random page reads cost little more than sequential
// ones. With the default cost, the planner scans ten thousand rows to find a few dozen.
const OPTIONS = [
  'TimeZone=UTC',
  'DateStyle=ISO,YMD',
  'IntervalStyle=postgres',
  'bytea_output=hex',
  'random_page_cost=1.1',
];

const NO_LIMITS =
  'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0';

/** Opens a connection pool for a PostgreSQL server. It connects only when the first query runs. */
export function openPostgres(options: PostgresOptions): Db {
  return new PostgresStore(
    new pg.Pool({
      connectionString: options.url,
      max: options.poolSize ?? 10,
      application_name: 'afterbell',
      connectionTimeoutMillis: options.connectTimeoutMs ?? 5000,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      statement_timeout: options.statementTimeoutMs ?? 60_000,
      // A hung process must not hold the row locks of its transaction forever.
      idle_in_transaction_session_timeout: 60_000,
      options: OPTIONS.map((option) => `-c ${option}`).join(' '),
      types: { getTypeParser: (oid: number) => parserOf(oid) },
    }),
    watchForHangs({ url: options.url, clock: systemClock() }),
  );
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

class PostgresStore implements Db {
  readonly engine = 'postgres';
  readonly #pool: pg.Pool;
  readonly #own = new NestedUseGuard();
  readonly #plans = new PreparedPlans();
  readonly #silence: HangWatch;
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(pool: pg.Pool, silence: HangWatch) {
    this.#pool = pool;
    this.#silence = silence;
    // An idle connection closed by the server is replaced on the next call. Without a listener, the
    // error event would end the process.
    pool.on('error', ignore);
    // A server that is killed may send its error in the same packet that ends the handshake, before
    // any call uses the connection. The first call on this connection then fails.
    pool.on('connect', (client) => client.on('error', ignore));
  }

  async query<T extends Row = Row>(sql: string, params: readonly SqlValue[] = []): Promise<T[]> {
    this.#own.refuse();
    return this.#withClient((client) => run<T>(client, sql, params));
  }

  async execute(script: string): Promise<void> {
    this.#own.refuse();
    await this.#withClient((client) => convertErrors(client.query(script)));
  }

  async transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    { keepsPlans = false }: TransactionOptions = {},
  ): Promise<T> {
    this.#own.refuse();
    return this.#withClient(async (client) => {
      await convertErrors(client.query(keepsPlans ? this.#plans.begin(client) : 'begin'));
      let open = true;
      const refuseWhenOver = (): void => {
        if (!open) throw new Error('This transaction has ended, so its handle cannot be used.');
      };
      const query = async <R extends Row>(sql: string, params: readonly SqlValue[] = []) => {
        refuseWhenOver();
        return run<R>(client, sql, params, keepsPlans ? this.#plans.nameOf(sql) : undefined);
      };
      const copy = async (into: string, lines: string) => {
        refuseWhenOver();
        await convertErrors(copyLines(client, `copy ${into} from stdin`, lines));
      };
      let result: T;
      try {
        result = await this.#own.run(() => work({ query, copy, __transaction: true }));
      } catch (error) {
        open = false;
        await convertErrors(client.query('rollback'));
        throw error;
      }
      open = false;
      // After a failed statement, COMMIT rolls back and reports no error.
      const { command } = await convertErrors(client.query('commit'));
      if (command !== 'COMMIT') throw new TransactionAbortedError();
      return result;
    });
  }

  async readSnapshot<T>(work: (view: SnapshotView) => Promise<T>): Promise<T> {
    this.#own.refuse();
    return this.#withClient(async (client) => {
      await convertErrors(client.query('begin isolation level repeatable read, read only'));
      try {
        // Reading a large store takes longer than the service's statement timeout allows.
        await convertErrors(client.query(NO_LIMITS));
        return await work({
          query: (sql, params = []) => run(client, sql, params),
          copyOut: (select) => convertErrors(copyRowsOut(client, select)),
        });
      } finally {
        await convertErrors(client.query('rollback')).catch(ignore);
      }
    });
  }

  async close(): Promise<void> {
    // Running calls must end first. Otherwise, calls that are waiting for a connection would never
    // settle.
    this.#closing ??= Promise.allSettled(this.#running).then(() => {
      this.#silence.stop();
      return this.#pool.end();
    });
    await this.#closing;
  }

  async #withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw new StoreUnavailableError('The store is closed.');
    const call = this.#runWithClient(work);
    this.#running.add(call);
    try {
      return await call;
    } finally {
      this.#running.delete(call);
    }
  }

  async #runWithClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await connect(this.#pool.connect());
    const ended = this.#silence.callStarted(client);
    let broken = false;
    const onError = (): void => {
      broken = true;
    };
    client.on('error', onError);
    try {
      return await work(client);
    } catch (error) {
      broken ||= error instanceof StoreUnavailableError;
      throw error;
    } finally {
      ended();
      client.off('error', onError);
      client.release(broken);
    }
  }
}

async function run<T extends Row>(
  client: pg.PoolClient,
  sql: string,
  params: readonly SqlValue[],
  name?: string,
): Promise<T[]> {
  // Always uses the extended protocol, which allows one statement per call, as on the embedded
  // store.
  const values = encodeParameters(sql, params);
  const preparedName = name === undefined ? {} : { name };
  const statement = { ...preparedName, text: sql, values, queryMode: 'extended' };
  const result = await convertErrors(client.query<T>(statement));
  return result.rows;
}

/** Awaits a driver call and converts its errors. */
async function convertErrors<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const facts = sqlErrorFacts(error);
    if (facts !== undefined && !isOutage(facts.sqlState)) throw new SqlError(facts);
    if (error instanceof RangeError) throw error;
    const reason = error instanceof Error ? error.message || String(error) : String(error);
    throw new StoreUnavailableError(`The database is unavailable: ${reason}`, { cause: error });
  }
}

/**
 * Connects, and reports a rejected login as an unavailable store. While a password or database name
 * is being changed, the same call may succeed later.
 */
async function connect<T>(connecting: Promise<T>): Promise<T> {
  try {
    return await convertErrors(connecting);
  } catch (error) {
    if (error instanceof StoreUnavailableError) {
      throw new StoreUnavailableError(`${error.message}: ${NOT_THERE}`, { cause: error.cause });
    }
    if (!(error instanceof SqlError)) throw error;
    const fix = error.sqlState === '3D000' ? NO_DATABASE : NOT_ADMITTED;
    const reason = `The database is unavailable: ${error.message}: ${fix}`;
    throw new StoreUnavailableError(reason, { cause: error });
  }
}

const NOT_THERE = 'check that a server is running at the address in DATABASE_URL';
const NO_DATABASE = 'create it with createdb, or set DATABASE_URL to another one';
const NOT_ADMITTED =
  'check the user and password in DATABASE_URL and the access rules of the server';

/**
 * Returns true if the SQLSTATE means that the server is unavailable: a connection failure (class
 * 08), shutdown or start-up (57P01 to 57P05), or too many connections (53300).
 */
function isOutage(state: string): boolean {
  return state.startsWith('08') || state.startsWith('57P') || state === '53300';
}

function ignore(): void {}
