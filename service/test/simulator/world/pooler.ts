import type { Db, Queryable, Row, SqlValue, Transaction } from '../../../src/storage/db.ts';
import { convertErrors } from '../../../src/storage/engines/postgres/connection-errors.ts';
import type { Random } from '../../../src/platform/random.ts';
import type { Counts } from './counts.ts';
import { chance, pick } from './random-draws.ts';
import { ServerSession } from './server-session.ts';

/** Connections to the server that all processes share. */
const SESSIONS = 4;

interface PoolerDeps {
  random: Random;
  counts: Counts;
  now(): number;
}

/**
 * A connection pooler in transaction mode between the processes and the store. Each transaction may
 * run on another connection to the server. The pooler may also refuse calls, or lose all its
 * connections in the middle of them.
 */
export class SimulatedPooler implements Db {
  readonly engine = 'postgres';
  readonly #base: Db;
  readonly #random: Random;
  readonly #counts: Counts;
  readonly #now: () => number;
  readonly #sessions: readonly ServerSession[];
  #refuses = { untilAt: 0, share: 0 };
  #statementsToCrash = Infinity;
  #crashes = 0;

  constructor(base: Db, { random, counts, now }: PoolerDeps) {
    this.#base = base;
    this.#random = random;
    this.#counts = counts;
    this.#now = now;
    const locks = new Map<string, ServerSession>();
    this.#sessions = Array.from({ length: SESSIONS }, (_, n) => new ServerSession(`s${n}`, locks));
  }

  /** Makes clients wait too long for a connection: this share of all calls fails for a while. */
  refuse(durationMs: number, share: number): void {
    this.#refuses = { untilAt: this.#now() + durationMs, share };
  }

  /** Loses all connections to the server after this many statements of any process. */
  crashAfter(statements: number): void {
    this.#statementsToCrash = statements;
  }

  async query<T extends Row>(sql: string, params?: readonly SqlValue[]): Promise<T[]> {
    const crashes = this.#crashes;
    await this.#admit();
    const session = pick(this.#random, this.#sessions);
    const run = async (target: Queryable): Promise<T[]> => {
      const isResultLost = this.#losesResult(crashes);
      if (!isResultLost) await this.#beforeStatement(crashes);
      const rows = await session.run<T>(target, sql, params);
      if (isResultLost) await this.#beforeStatement(crashes);
      return rows;
    };
    if (!session.hasSettings()) return run(this.#base);
    return this.#base.transaction(async (tx) => {
      await session.begin(tx);
      return run(tx);
    });
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const crashes = this.#crashes;
    await this.#admit();
    const session = pick(this.#random, this.#sessions);
    let isResultLost = false;
    const result = await this.#base.transaction(async (tx) => {
      await session.begin(tx);
      const workResult = await work({
        __transaction: true,
        query: async (sql, params) => {
          await this.#beforeStatement(crashes);
          return session.run(tx, sql, params);
        },
        copy: async (into, lines) => {
          await this.#beforeStatement(crashes);
          await tx.copy(into, lines);
        },
      });
      isResultLost = this.#losesResult(crashes);
      if (!isResultLost) await this.#beforeStatement(crashes);
      return workResult;
    });
    if (isResultLost) await this.#beforeStatement(crashes);
    return result;
  }

  readSnapshot: Db['readSnapshot'] = (work) => this.#base.readSnapshot(work);
  execute: Db['execute'] = (script) => this.#base.execute(script);
  close: Db['close'] = () => Promise.resolve();

  async #admit(): Promise<void> {
    const { untilAt, share } = this.#refuses;
    if (this.#now() >= untilAt || !chance(this.#random, share)) return;
    this.#counts.add('pooler: query_wait_timeout');
    await fail('08P01', 'query_wait_timeout');
  }

  /** Returns true if the connection is lost after the server has committed, before it responds. */
  #losesResult(crashes: number): boolean {
    const isCrashing = crashes === this.#crashes && this.#statementsToCrash === 0;
    return isCrashing && chance(this.#random, 0.5);
  }

  /** Fails if the connection that this call uses was lost. `crashes` is the count at its start. */
  async #beforeStatement(crashes: number): Promise<void> {
    if (this.#statementsToCrash === 0) {
      this.#statementsToCrash = Infinity;
      this.#crashes += 1;
      this.#counts.add('pooler: connections lost');
    }
    this.#statementsToCrash -= 1;
    if (crashes !== this.#crashes) await fail('08P01', 'server conn crashed?');
  }
}

/** Fails as the PostgreSQL driver does on an error of a pooler. */
function fail(code: string, message: string): Promise<never> {
  return convertErrors(
    Promise.reject(Object.assign(new Error(message), { code, severity: 'FATAL' })),
  );
}
