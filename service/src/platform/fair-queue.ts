import type { Clock } from './clock.ts';

/** Thrown to those that wait for work which was cancelled. */
export class WorkCancelledError extends Error {
  constructor() {
    super('the work was cancelled');
    this.name = 'WorkCancelledError';
  }
}

/** The right of a piece of work to run. */
export interface Turn {
  /**
   * Call before each step of the work. If a key that has used less time waits, that key runs first,
   * and the promise resolves once this work continues. Rejects if the work was cancelled.
   */
  pause(): Promise<void>;
}

/** Work in a `FairQueue`. */
export interface Task<T> {
  result: Promise<T>;
  /** Lets the work also run in the turn of another key that needs its result. */
  join(key: string): void;
  /** Removes the work from the queue, or stops it at its next pause. `result` then rejects. */
  cancel(): void;
}

/** The part of a queue that callers use. */
export type WorkQueue = Pick<FairQueue, 'submit'>;

/** Runs everything at once, for tests. */
export const RUN_AT_ONCE: WorkQueue = {
  submit: (_key, work) => ({
    result: work({ pause: () => Promise.resolve() }),
    join: () => undefined,
    cancel: () => undefined,
  }),
};

type TaskState = 'waiting' | 'running' | 'paused' | 'ended';

/** Work with the keys in whose turn it may run. */
class QueuedTask implements Turn {
  readonly keys = new Set<string>();
  state: TaskState = 'waiting';
  isCancelled = false;
  /** The key that pays for the current turn. */
  payer = '';
  resumedAtMs = 0;
  readonly #givesWay: (task: QueuedTask) => boolean;
  #turn = Promise.withResolvers<void>();

  constructor(givesWay: (task: QueuedTask) => boolean) {
    this.#givesWay = givesWay;
  }

  /** Resolves when the work may run or continue. */
  get turn(): Promise<void> {
    return this.#turn.promise;
  }

  begin(payer: string, nowMs: number): void {
    this.state = 'running';
    this.payer = payer;
    this.resumedAtMs = nowMs;
    this.#turn.resolve();
  }

  reject(): void {
    this.state = 'ended';
    this.#turn.reject(new WorkCancelledError());
  }

  async pause(): Promise<void> {
    if (this.state === 'running' && !this.isCancelled) {
      const next = Promise.withResolvers<void>();
      const previous = this.#turn;
      this.#turn = next;
      if (!this.#givesWay(this)) this.#turn = previous;
    }
    // Steps that run side by side wait for the same turn.
    await this.#turn.promise;
    if (this.isCancelled) throw new WorkCancelledError();
  }
}

/** Time that a key which has used less than its share may catch up at once. */
const CREDIT_MS = 1_000;
/** For this time after the work of one key, other keys run one piece of work at a time. */
const ACTIVE_MS = 1_000;
/** Above this number, the used time of keys that have been idle longest is forgotten. */
const IDLE_MAX = 10_000;

interface KeyState {
  /** Running time on a scale on which keys that wait all the time advance alike. */
  usedMs: number;
  running: number;
  /** Number of the last turn, to alternate between keys that have used equal time. */
  lastTurn: number;
  paused: Set<QueuedTask>;
  waiting: Set<QueuedTask>;
}

/**
 * Shares a few places among keys, such as customers, by running time instead of by number: the next
 * place goes to the waiting key that has used the least. A key that arrives, or that uses less than
 * its share, is at most a second ahead of those that are always active. So it waits only for the
 * steps that run, but gains no more from a long idle time. Work gives way between its steps. Work of
 * one key runs in order of arrival, and one at a time while other keys are active.
 */
export class FairQueue {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #concurrency: number;
  readonly #perKeyMax: number;
  readonly #onUsed: (key: string, ms: number) => void;
  /** Keys with work. */
  readonly #keys = new Map<string, KeyState>();
  /** Used time of keys without work, the longest idle first. */
  readonly #idle = new Map<string, number>();
  #running = 0;
  #turns = 0;
  /** The highest used time of a key that has run. */
  #levelMs = 0;
  /** The last submission, and the last one of another key. */
  #last = { key: '', atMs: Number.NEGATIVE_INFINITY };
  #lastOfOther = this.#last;

  constructor(options: {
    clock: Pick<Clock, 'monotonicMs'>;
    concurrency: number;
    /** Maximum number of works of one key that run at once. */
    perKeyMax: number;
    /** Receives the running time of each piece of work at its pauses and its end. */
    onUsed?: (key: string, ms: number) => void;
  }) {
    this.#clock = options.clock;
    this.#concurrency = options.concurrency;
    this.#perKeyMax = options.perKeyMax;
    this.#onUsed = options.onUsed ?? (() => undefined);
  }

  /** Number of pieces of work that wait for their first turn or for their next one. */
  get waiting(): number {
    const tasks = [...this.#keys.values()].flatMap(({ waiting, paused }) => [
      ...waiting,
      ...paused,
    ]);
    return new Set(tasks).size;
  }

  get running(): number {
    return this.#running;
  }

  submit<T>(key: string, work: (turn: Turn) => Promise<T>): Task<T> {
    const task = new QueuedTask((running) => this.#givesWay(running));
    const result = task.turn.then(() => work(task)).finally(() => this.#end(task));
    if (this.#last.key !== key) this.#lastOfOther = this.#last;
    this.#last = { key, atMs: this.#clock.monotonicMs() };
    this.#add(task, key);
    this.#startNext();
    return {
      result,
      join: (other) => this.#join(task, other),
      cancel: () => this.#cancel(task),
    };
  }

  /** Pauses the work if a key that has used less time waits, or if its key runs too much. */
  #givesWay(task: QueuedTask): boolean {
    this.#charge(task);
    const { running, usedMs } = this.#stateOf(task.payer);
    const nextMs = this.#nextKey()?.state.usedMs ?? Number.POSITIVE_INFINITY;
    if (nextMs >= usedMs && running <= this.#maxOf(task.payer)) return false;
    task.state = 'paused';
    for (const key of task.keys) this.#add(task, key);
    this.#leave(task);
    this.#startNext();
    return true;
  }

  #end(task: QueuedTask): void {
    if (task.state !== 'running') return;
    this.#charge(task);
    task.state = 'ended';
    this.#leave(task);
    this.#startNext();
  }

  #join(task: QueuedTask, key: string): void {
    if (task.state === 'ended') return;
    if (task.state === 'running') task.keys.add(key);
    else this.#add(task, key);
    this.#startNext();
  }

  #cancel(task: QueuedTask): void {
    if (task.state === 'ended') return;
    task.isCancelled = true;
    // Other work notices at its next pause.
    if (task.state !== 'waiting') return;
    this.#remove(task);
    task.reject();
  }

  #startNext(): void {
    while (this.#running < this.#concurrency) {
      const next = this.#nextKey();
      if (next === null) return;
      const { key, state } = next;
      const [task] = state.paused.size > 0 ? state.paused : state.waiting;
      if (task === undefined) return;
      this.#running += 1;
      state.running += 1;
      state.lastTurn = this.#turns += 1;
      this.#levelMs = Math.max(this.#levelMs, state.usedMs);
      this.#remove(task);
      task.begin(key, this.#clock.monotonicMs());
    }
  }

  /** Returns the waiting key that has used the least time and may run. */
  #nextKey(): { key: string; state: KeyState } | null {
    let best: { key: string; state: KeyState } | null = null;
    for (const [key, state] of this.#keys) {
      const isWaiting = state.waiting.size + state.paused.size > 0;
      if (!isWaiting || state.running >= this.#maxOf(key)) continue;
      if (best === null || isBefore(state, best.state)) best = { key, state };
    }
    return best;
  }

  /** Returns the number of works of the key that may run at once. */
  #maxOf(key: string): number {
    const other = this.#last.key === key ? this.#lastOfOther : this.#last;
    return this.#clock.monotonicMs() - other.atMs < ACTIVE_MS ? 1 : this.#perKeyMax;
  }

  #charge(task: QueuedTask): void {
    const nowMs = this.#clock.monotonicMs();
    const ms = nowMs - task.resumedAtMs;
    task.resumedAtMs = nowMs;
    this.#stateOf(task.payer).usedMs += ms;
    this.#onUsed(task.payer, ms);
  }

  #leave({ payer }: QueuedTask): void {
    this.#running -= 1;
    this.#stateOf(payer).running -= 1;
    this.#forgetIdle(payer);
  }

  #add(task: QueuedTask, key: string): void {
    task.keys.add(key);
    const { paused, waiting } = this.#stateOf(key);
    (task.state === 'paused' ? paused : waiting).add(task);
  }

  #remove(task: QueuedTask): void {
    for (const key of task.keys) {
      const state = this.#keys.get(key);
      state?.waiting.delete(task);
      state?.paused.delete(task);
      this.#forgetIdle(key);
    }
  }

  #forgetIdle(key: string): void {
    const state = this.#keys.get(key);
    if (state === undefined) return;
    if (state.running + state.waiting.size + state.paused.size > 0) return;
    this.#keys.delete(key);
    this.#idle.set(key, state.usedMs);
    const [longestIdle = key] = this.#idle.keys();
    if (this.#idle.size > IDLE_MAX) this.#idle.delete(longestIdle);
  }

  #stateOf(key: string): KeyState {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    const usedMs = Math.max(
      this.#levelMs - CREDIT_MS,
      this.#idle.get(key) ?? Number.NEGATIVE_INFINITY,
    );
    this.#idle.delete(key);
    const state = { usedMs, running: 0, lastTurn: 0, paused: new Set<QueuedTask>() };
    const added: KeyState = { ...state, waiting: new Set<QueuedTask>() };
    this.#keys.set(key, added);
    return added;
  }
}

function isBefore(a: KeyState, b: KeyState): boolean {
  return a.usedMs < b.usedMs || (a.usedMs === b.usedMs && a.lastTurn < b.lastTurn);
}
