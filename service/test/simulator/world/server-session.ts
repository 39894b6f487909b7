import type { Queryable, Row, SqlValue } from '../../../src/storage/db.ts';
import { SqlError } from '../../../src/storage/errors.ts';

/** Statements that use the state of a session. Everything else depends only on the store. */
const USES_SESSION =
  /^\s*(?:set(?!\s+(?:local|transaction)\b)|reset|prepare|execute|deallocate|listen|unlisten)\b|\bset_config\(.*\bfalse\)|\bpg_(?:try_)?advisory_(?:un)?lock(?:_shared)?\(/i;
const FORMS = {
  set: /^\s*set\s+(?:session\s+)?([\w.]+)\s*(?:=|\bto\b)\s*'?([^']*?)'?\s*$/i,
  setConfig: /^\s*select\s+set_config\('([\w.]+)',\s*\$1(?:::text)?,\s*false\)\s*$/i,
  prepare: /^\s*prepare\s+(\w+)(.*)$/is,
  execute: /^\s*execute\s+(\w+)(.*)$/is,
  listen: /^\s*(?:un)?listen\s+\w+\s*$/i,
  lock: /^\s*select\s+pg_(try_advisory_lock|advisory_lock|advisory_unlock)\((\d+)\)\s+as\s+(\w+)\s*$/i,
};

/**
 * One connection to the server, which a pooler lends to a client for one transaction at a time. Its
 * settings, prepared statements and locks stay on it, so they reach whichever client uses it next.
 */
export class ServerSession {
  readonly #name: string;
  readonly #locks: Map<string, ServerSession>;
  readonly #settings = new Map<string, string>();
  readonly #prepared = new Set<string>();

  /** `locks` has the sessions that hold advisory locks, by key. All sessions share it. */
  constructor(name: string, locks: Map<string, ServerSession>) {
    this.#name = name;
    this.#locks = locks;
  }

  hasSettings(): boolean {
    return this.#settings.size > 0;
  }

  /** Applies the session's settings to a transaction. */
  async begin(tx: Queryable): Promise<void> {
    for (const [name, value] of this.#settings) {
      await tx.query('select set_config($1, $2, true)', [name, value]);
    }
  }

  /** Runs one statement of a transaction that has begun. */
  async run<T extends Row>(
    tx: Queryable,
    sql: string,
    params: readonly SqlValue[] = [],
  ): Promise<T[]> {
    if (!USES_SESSION.test(sql)) return tx.query<T>(sql, params);
    return (await this.#runOnSession(tx, sql, params)) as T[];
  }

  async #runOnSession(tx: Queryable, sql: string, params: readonly SqlValue[]): Promise<Row[]> {
    const set = FORMS.set.exec(sql);
    if (set !== null) return this.#set(tx, set[1] ?? '', set[2] ?? '');
    const config = FORMS.setConfig.exec(sql);
    if (config !== null) return this.#set(tx, config[1] ?? '', String(params[0]));
    const prepare = FORMS.prepare.exec(sql);
    if (prepare !== null) {
      this.#prepared.add(prepare[1] ?? '');
      return tx.query(`prepare ${this.#name}_${prepare[1]}${prepare[2]}`);
    }
    const execute = FORMS.execute.exec(sql);
    if (execute !== null) {
      if (!this.#prepared.has(execute[1] ?? '')) throw statementMissing(execute[1] ?? '');
      return tx.query(`execute ${this.#name}_${execute[1]}${execute[2]}`);
    }
    const [, call = '', key = '', column = ''] = FORMS.lock.exec(sql) ?? [];
    if (call !== '') return [{ [column]: this.#lock(call, key) }];
    // Notifications go to the connection that listens, which no client reads between transactions.
    if (FORMS.listen.test(sql)) return [];
    throw new Error(`the simulated pooler cannot model: ${sql}`);
  }

  async #set(tx: Queryable, name: string, value: string): Promise<Row[]> {
    this.#settings.set(name, value);
    return tx.query('select set_config($1, $2, true)', [name, value]);
  }

  #lock(call: string, key: string): boolean {
    const holder = this.#locks.get(key);
    if (call === 'advisory_unlock') return holder === this && this.#locks.delete(key);
    if (holder === undefined) this.#locks.set(key, this);
    const isHeld = this.#locks.get(key) === this;
    if (!isHeld && call === 'advisory_lock') {
      throw new SqlError({ message: 'canceling statement due to lock timeout', sqlState: '55P03' });
    }
    return isHeld;
  }
}

/** Returns the error of a statement that was prepared on another connection. */
export function statementMissing(name: string): SqlError {
  return new SqlError({
    message: `prepared statement "${name}" does not exist`,
    sqlState: '26000',
  });
}
