import { Worker } from 'node:worker_threads';
import type { SnapshotView, Row, SqlValue, Transaction, TransactionOptions } from '../../db.ts';
import {
  SqlError,
  StoreDamagedError,
  StoreUnavailableError,
  TransactionAbortedError,
} from '../../errors.ts';
import { PreparedPlans } from '../prepared-plans.ts';
import { NestedUseGuard } from '../nested-use-guard.ts';
import { encodeParameters } from '../../values/parameters.ts';
import { withSnapshotCopy } from './snapshot-copy.ts';
import type {
  PgliteDb,
  WorkerAction,
  WorkerHello,
  WorkerOptions,
  WorkerReply,
} from './worker-protocol.ts';
import { decodeResponse, encodeStatement } from '../../values/wire.ts';

/**
 * Opens PGlite in a worker thread, on a folder or in memory with `dataDir: 'memory://'`. The caller
 * must hold the folder's lock, because two processes on one folder corrupt it silently.
 */
export async function openPglite(options: WorkerOptions): Promise<PgliteDb> {
  const file = import.meta.url.endsWith('.ts') ? './pglite-worker.ts' : './pglite-worker.js';
  const worker = new Worker(new URL(file, import.meta.url), { workerData: options });
  await opened(worker);
  return new PgliteStore(worker, options.dataDir);
}

function opened(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => {
      reject(new StoreUnavailableError(`The embedded store could not be opened: ${reason}`));
    };
    worker.once('message', (hello: WorkerHello) => {
      if (hello.open) resolve();
      else if ('damage' in hello) reject(new StoreDamagedError(hello.damage));
      else fail(hello.message);
    });
    // Once the store is open, these two handlers have no effect because the promise is already
    // settled.
    worker.once('error', (error) => fail(messageOf(error)));
    worker.once('exit', (code) => fail(`its thread ended with code ${code}`));
  });
}

type SuccessReply = WorkerReply & { ok: true };

/**
 * An embedded store with a single connection, so only one transaction runs at a time. Plain queries
 * wait while a transaction is open. The worker replies in order, so nothing else needs to wait.
 */
class PgliteStore implements PgliteDb {
  readonly engine = 'pglite';
  readonly #worker: Worker;
  readonly #dataDir: string;
  readonly #waiting = new Map<number, { settle: (reply: CallReply) => void; fail: Fail }>();
  readonly #own = new NestedUseGuard();
  readonly #plans = new PreparedPlans();
  /** Names of the statements that the engine has already prepared. */
  readonly #prepared = new Set<string>();
  #gate: Promise<unknown> = Promise.resolve();
  #gateBusy = 0;
  #nextId = 1;
  #gone: string | undefined;
  #closing: Promise<void> | undefined;

  constructor(worker: Worker, dataDir: string) {
    this.#worker = worker;
    this.#dataDir = dataDir;
    worker.on('message', (reply: WorkerReply) => {
      if ('brokeDown' in reply) {
        void this.abandon(`It broke down: ${reply.brokeDown}`);
        return;
      }
      const call = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      call?.settle(reply);
    });
    worker.on('error', (error) => this.#fall(`Its thread failed: ${messageOf(error)}`));
    worker.on('messageerror', (error) => this.#fall(`A message was lost: ${messageOf(error)}`));
    worker.on('exit', (code) => this.#fall(`Its thread ended with code ${code}.`));
  }

  async query<T extends Row = Row>(sql: string, params: readonly SqlValue[] = []): Promise<T[]> {
    this.#own.refuse();
    this.#refuseWhenClosing();
    if (this.#gateBusy > 0) return this.#alone(() => this.#query<T>(sql, params));
    return this.#query<T>(sql, params);
  }

  async execute(script: string): Promise<void> {
    this.#own.refuse();
    this.#refuseWhenClosing();
    await this.#alone(() => this.#send({ do: 'execute', script }));
  }

  async dump(file: string): Promise<void> {
    this.#refuseWhenClosing();
    await this.#alone(() => this.#send({ do: 'snapshot', file }));
  }

  async copyFiles(to: string): Promise<void> {
    this.#refuseWhenClosing();
    await this.#alone(() => this.#send({ do: 'copy-files', from: this.#dataDir, to }));
  }

  async copyOut(select: string): Promise<Uint8Array> {
    return (await this.#send({ do: 'copy-out', select })).bytes;
  }

  async readSnapshot<T>(work: (view: SnapshotView) => Promise<T>): Promise<T> {
    this.#own.refuse();
    return withSnapshotCopy({ store: this, dataDir: this.#dataDir, open: openPglite }, work);
  }

  failureReason(): string | undefined {
    return this.#gone;
  }

  async killThread(): Promise<void> {
    await this.#worker.terminate();
  }

  async abandon(reason: string): Promise<void> {
    this.#fall(reason);
    await this.#worker.terminate();
  }

  async transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    { keepsPlans = false }: TransactionOptions = {},
  ): Promise<T> {
    this.#own.refuse();
    this.#refuseWhenClosing();
    return this.#alone(() => this.#transaction(work, keepsPlans));
  }

  async close(): Promise<void> {
    this.#closing ??= this.#alone(async () => {
      if (this.#gone !== undefined) return;
      const exited = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()));
      await this.#send({ do: 'close' });
      await exited;
    });
    await this.#closing;
  }

  async #transaction<T>(work: (tx: Transaction) => Promise<T>, keepsPlans: boolean): Promise<T> {
    // The worker replies in order, so the first statement need not wait for this reply.
    const script = keepsPlans ? this.#plans.begin(this) : 'begin';
    const begun = this.#send({ do: 'execute', script });
    begun.catch(ignore);
    let open = true;
    const refuseWhenOver = (): void => {
      if (!open) throw new Error('This transaction has ended, so its handle cannot be used.');
    };
    const query = async <R extends Row>(sql: string, params: readonly SqlValue[] = []) => {
      refuseWhenOver();
      return this.#query<R>(sql, params, keepsPlans ? this.#plans.nameOf(sql) : undefined);
    };
    const copy = async (into: string, lines: string) => {
      refuseWhenOver();
      await this.#send({ do: 'copy', into, lines });
    };
    let result: T;
    try {
      result = await this.#own.run(() => work({ query, copy, __transaction: true }));
      await begun;
    } catch (error) {
      open = false;
      if (this.#gone === undefined) await this.#send({ do: 'execute', script: 'rollback' });
      throw error;
    }
    open = false;
    // After a failed statement, COMMIT rolls back and reports no error.
    const { lastCommand } = await this.#send({ do: 'execute', script: 'commit' });
    if (lastCommand !== 'COMMIT') throw new TransactionAbortedError();
    return result;
  }

  async #query<T extends Row>(
    sql: string,
    params: readonly SqlValue[],
    name?: string,
  ): Promise<T[]> {
    const preparedStatement =
      name === undefined ? undefined : { name, isPrepared: this.#prepared.has(name) };
    const statement = encodeStatement(sql, encodeParameters(sql, params), preparedStatement);
    const { bytes } = await this.#send({ do: 'query', statement }, [statement.buffer]);
    const { rows, serverError: refusal, isParsed } = decodeResponse<T>(bytes);
    if (isParsed && name !== undefined) this.#prepared.add(name);
    if (refusal === null) return rows;
    if (refusal.isFatal) {
      const reason = `It broke down: ${refusal.error.message}`;
      await this.abandon(reason);
      throw new StoreUnavailableError(reason);
    }
    // The error is created after the wait so that its stack trace shows the caller.
    throw new SqlError(refusal.error);
  }

  async #send(action: WorkerAction, moved: ArrayBuffer[] = []): Promise<SuccessReply> {
    if (this.#gone !== undefined) throw new StoreUnavailableError(this.#gone);
    const id = this.#nextId++;
    const reply = await new Promise<CallReply>((settle, fail) => {
      this.#waiting.set(id, { settle, fail });
      this.#worker.postMessage({ id, ...action }, moved);
    });
    if (reply.ok) return reply;
    throw 'sql' in reply ? new SqlError(reply.sql) : new Error(reply.message);
  }

  /** Runs `work` after all calls queued before it. Later calls wait until it ends. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    this.#gateBusy += 1;
    const turn = this.#gate.then(work);
    this.#gate = turn.then(ignore, ignore).then(() => {
      this.#gateBusy -= 1;
    });
    return turn;
  }

  #refuseWhenClosing(): void {
    if (this.#closing !== undefined) throw new StoreUnavailableError('The store is closed.');
  }

  #fall(reason: string): void {
    this.#gone ??=
      this.#closing === undefined
        ? `The embedded store is gone. ${reason}`
        : 'The store is closed.';
    for (const call of this.#waiting.values()) call.fail(new StoreUnavailableError(this.#gone));
    this.#waiting.clear();
  }
}

/** The reply to one call. A breakdown is excluded because it fails all calls in flight. */
type CallReply = Exclude<WorkerReply, { brokeDown: string }>;

type Fail = (error: Error) => void;

function ignore(): void {}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
