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
  /** Connections at most; 10 unless told. */
  poolSize?: number | undefined;
  /** How long a statement may run before the server ends it, in milliseconds; 60,000. */
  statementTimeoutMs?: number | undefined;
  /** How long a call waits for a free connection, in milliseconds; 5,000. */
  connectTimeoutMs?: number | undefined;
}

// What values are read as depends on the first four, so the server's own defaults are not trusted.
// A page read costs little more by an index than in order, in memory and on disks without a needle:
// else some dozens of rows of a table of ten thousand are looked for in all of them.
const OPTIONS = [
  'TimeZone=UTC',
  'DateStyle=ISO,YMD',
  'IntervalStyle=postgres',
  'bytea_output=hex',
  'random_page_cost=1.1',
];

const NO_LIMITS =
  'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0';

/** Opens a pool on a PostgreSQL server. Nothing connects before the first query. */
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
      // A transaction whose process hangs must not hold its row locks for ever.
      idle_in_transaction_session_timeout: 60_000,
      options: OPTIONS.map((option) => `-c ${option}`).join(' '),
      types: { getTypeParser: (oid: number) => parserOf(oid) },
    }),
    watchForHangs({ url: options.url, clock: systemClock() }),
  );
}

/** Throws when the server is older than PostgreSQL 15. */
export async function refuseOldServer(db: Db): Promise<void> {
  // One row: the server's version, as a number to compare and as text to show.
  const [row] = await db.query<{ number: number; shown: string }>(
    `select current_setting('server_version_num')::int as number,
            current_setting('server_version') as shown`,
  );
  if (row !== undefined && row.number >= 150_000) return;
  throw new MigrationError(
    `This server is PostgreSQL ${row?.shown ?? 'of an unknown version'}; 15 or newer is needed: ` +
      'name another one in DATABASE_URL.',
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
    // An idle connection the server drops is replaced at the next call; unheard, the event would
    // end the process.
    pool.on('error', ignore);
    // A server that is killed may say so in the packet that ends the greeting, before the connection
    // is in anyone's hands; whoever gets it learns by the first call on it.
    pool.on('connect', (client) => client.on('error', ignore));
  }

  async query<T extends Row = Row>(sql: string, params: readonly SqlValue[] = []): Promise<T[]> {
    this.#own.refuse();
    return this.#withClient((client) => run<T>(client, sql, params));
  }

  async execute(script: string): Promise<void> {
    this.#own.refuse();
    await this.#withClient((client) => guard(client.query(script)));
  }

  async transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    { keepsPlans = false }: TransactionOptions = {},
  ): Promise<T> {
    this.#own.refuse();
    return this.#withClient(async (client) => {
      await guard(client.query(keepsPlans ? this.#plans.begin(client) : 'begin'));
      let open = true;
      const refuseWhenOver = (): void => {
        if (!open)
          throw new Error('This transaction has ended; its handle cannot be used any more.');
      };
      const query = async <R extends Row>(sql: string, params: readonly SqlValue[] = []) => {
        refuseWhenOver();
        return run<R>(client, sql, params, keepsPlans ? this.#plans.nameOf(sql) : undefined);
      };
      const copy = async (into: string, lines: string) => {
        refuseWhenOver();
        await guard(copyLines(client, `copy ${into} from stdin`, lines));
      };
      let result: T;
      try {
        result = await this.#own.run(() => work({ query, copy, __transaction: true }));
      } catch (error) {
        open = false;
        await guard(client.query('rollback'));
        throw error;
      }
      open = false;
      // A commit after a failed statement is answered with a rollback, and not as an error.
      const { command } = await guard(client.query('commit'));
      if (command !== 'COMMIT') throw new TransactionAbortedError();
      return result;
    });
  }

  async readSnapshot<T>(work: (view: SnapshotView) => Promise<T>): Promise<T> {
    this.#own.refuse();
    return this.#withClient(async (client) => {
      await guard(client.query('begin isolation level repeatable read, read only'));
      try {
        // A large store is read for longer than any statement of the service may run.
        await guard(client.query(NO_LIMITS));
        return await work({
          query: (sql, params = []) => run(client, sql, params),
          copyOut: (select) => guard(copyRowsOut(client, select)),
        });
      } finally {
        await guard(client.query('rollback')).catch(ignore);
      }
    });
  }

  async close(): Promise<void> {
    // The pool on its own would leave calls that still wait for a connection without an answer.
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
    const client = await letIn(this.#pool.connect());
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
  // The extended protocol always: one statement per call, as embedded.
  const values = encodeParameters(sql, params);
  const kept = name === undefined ? {} : { name };
  const statement = { ...kept, text: sql, values, queryMode: 'extended' };
  const result = await guard(client.query<T>(statement));
  return result.rows;
}

/** Awaits a call of the driver and throws its failures in the store's own words. */
async function guard<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const facts = sqlErrorFacts(error);
    if (facts !== undefined && !isOutage(facts.sqlState)) throw new SqlError(facts);
    if (error instanceof RangeError) throw error;
    const reason = error instanceof Error ? error.message || String(error) : String(error);
    throw new StoreUnavailableError(`The database cannot be reached: ${reason}`, { cause: error });
  }
}

/**
 * A server that lets nobody in is away, whatever it says: a password is changed or a database renamed
 * while this runs, and the same call succeeds once the two agree again.
 */
async function letIn<T>(connecting: Promise<T>): Promise<T> {
  try {
    return await guard(connecting);
  } catch (error) {
    if (error instanceof StoreUnavailableError) {
      throw new StoreUnavailableError(`${error.message}: ${NOT_THERE}`, { cause: error.cause });
    }
    if (!(error instanceof SqlError)) throw error;
    const mend = error.sqlState === '3D000' ? NO_DATABASE : NOT_ADMITTED;
    const reason = `The database cannot be reached: ${error.message}: ${mend}`;
    throw new StoreUnavailableError(reason, { cause: error });
  }
}

const NOT_THERE = 'see that the server runs where DATABASE_URL says';
const NO_DATABASE = 'make it with createdb, or name another one in DATABASE_URL';
const NOT_ADMITTED =
  'see that the server admits the user, with the password, that DATABASE_URL names';

/**
 * Whether a SQLSTATE says that the server is away rather than the statement wrong: connection
 * failures (class 08), shutdown and start-up (57P01 to 57P05), too many connections (53300).
 */
function isOutage(state: string): boolean {
  return state.startsWith('08') || state.startsWith('57P') || state === '53300';
}

function ignore(): void {}
