import { readFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import type { Db, Row, SqlValue } from '../../../src/storage/db.ts';
import { SqlError, sqlErrorFacts, TransactionAbortedError } from '../../../src/storage/errors.ts';
import { encodeParameter } from '../../../src/storage/values/types.ts';
import { snapshotFile } from '../../support/stores.ts';
import { preparedRunner } from './prepared-statements.ts';

const WRITES_DELIVERY = /\b(update|insert into|delete from) delivery(_claim)?\b/;
const WRITES_CHANGE = /\binsert into change_record\b/;

/** A store that knows whether a call is in progress. */
export interface InlineStore extends Db {
  isBusy(): boolean;
  /**
   * Returns the number of statements so far. The other counters cover statements that may have
   * changed deliveries or change records.
   */
  statements(): number;
  deliveryWrites(): number;
  changeWrites(): number;
  /** From now on, commits are not synced. Without this call, every commit is. */
  stopSyncing(): void;
  /** Makes all earlier commits durable. */
  sync(): Promise<void>;
  /** Undoes all commits since the last sync, as a power failure does. */
  losePower(): Promise<void>;
}

/** Statements of a transaction, and of one whose commit a later power failure undoes. */
const SYNCED = { begin: 'begin', commit: 'commit', rollback: ['rollback'] };
const UNSYNCED = {
  begin: 'savepoint unsynced',
  commit: 'release savepoint unsynced',
  rollback: ['rollback to savepoint unsynced', 'release savepoint unsynced'],
};

/**
 * Opens PGlite in memory on this thread. Nothing else has to run during a statement, and a round
 * trip to another thread would cost more than most statements in a simulation.
 */
export async function openInlineStore(): Promise<InlineStore> {
  const snapshot = await readFile(await snapshotFile());
  const pglite = await PGlite.create({ dataDir: 'memory://', loadDataDir: new Blob([snapshot]) });
  await pglite.exec("set time zone 'UTC'; set datestyle to 'ISO, YMD'; set bytea_output to 'hex'");
  await pglite.exec('set random_page_cost = 1.1');
  return inlineStore(pglite);
}

function inlineStore(pglite: PGlite): InlineStore {
  const run = preparedRunner(pglite);
  let gate: Promise<unknown> = Promise.resolve();
  let calls = 0;
  let statements = 0;
  let deliveryWrites = 0;
  let changeWrites = 0;

  /** Runs calls one after another on the single connection. */
  function serialize<T>(work: () => Promise<T>): Promise<T> {
    calls += 1;
    const turn = gate.then(work).finally(() => {
      calls -= 1;
    });
    gate = turn.catch(() => undefined);
    return turn;
  }

  async function query<T extends Row>(sql: string, params: readonly SqlValue[] = []): Promise<T[]> {
    statements += 1;
    if (WRITES_DELIVERY.test(sql)) deliveryWrites += 1;
    if (WRITES_CHANGE.test(sql)) changeWrites += 1;
    const { rows } = await run(sql, params.map(encode)).catch(rethrow);
    return rows as T[];
  }

  async function copy(into: string, lines: string): Promise<void> {
    statements += 1;
    deliveryWrites += 1;
    const blob = new Blob([lines]);
    await pglite.query(`copy ${into} from '/dev/blob'`, [], { blob }).catch(rethrow);
  }

  const commits = new Commits(run);
  const transaction: Db['transaction'] = (work) =>
    commits.run(() => work({ query, copy, __transaction: true }));

  return {
    engine: 'pglite',
    query: (sql, params) =>
      serialize(() =>
        commits.areSynced() ? query(sql, params) : transaction((tx) => tx.query(sql, params)),
      ),
    transaction: (work) => serialize(() => transaction(work)),
    readSnapshot: () => Promise.reject(new Error('the simulated store has no snapshots')),
    execute: (script) => serialize(async () => void (await pglite.exec(script).catch(rethrow))),
    close: () => serialize(() => pglite.close()),
    isBusy: () => calls > 0,
    statements: () => statements,
    deliveryWrites: () => deliveryWrites,
    changeWrites: () => changeWrites,
    stopSyncing: () => commits.stopSyncing(),
    sync: () => serialize(() => commits.end('commit')),
    losePower: () => serialize(() => commits.end('rollback')),
  };
}

/** Runs transactions. An outer transaction that stays open holds the commits that are not synced. */
class Commits {
  readonly #run: ReturnType<typeof preparedRunner>;
  #statements = SYNCED;
  #isUnsynced = false;

  constructor(run: ReturnType<typeof preparedRunner>) {
    this.#run = run;
  }

  stopSyncing(): void {
    this.#statements = UNSYNCED;
  }

  areSynced(): boolean {
    return this.#statements === SYNCED;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (!this.areSynced() && !this.#isUnsynced) {
      await this.#run('begin', []);
      this.#isUnsynced = true;
    }
    const { begin, commit, rollback } = this.#statements;
    await this.#run(begin, []);
    let result: T;
    try {
      result = await work();
    } catch (error) {
      for (const statement of rollback) await this.#run(statement, []);
      throw error;
    }
    const { command } = await this.#run(commit, []);
    if (command === 'ROLLBACK') throw new TransactionAbortedError();
    return result;
  }

  /** Makes all commits durable, or undoes those that are not. */
  async end(statement: 'commit' | 'rollback'): Promise<void> {
    if (this.#isUnsynced) await this.#run(statement, []);
    this.#isUnsynced = false;
  }
}

function encode(value: SqlValue): string | null {
  const encoded = encodeParameter(value);
  // PostgreSQL reads a bytea parameter in hex format.
  return encoded instanceof Uint8Array ? `\\x${Buffer.from(encoded).toString('hex')}` : encoded;
}

function rethrow(error: unknown): never {
  const facts = sqlErrorFacts(error);
  throw facts === undefined ? error : new SqlError(facts);
}
