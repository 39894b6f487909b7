import { newYorkDate, newYorkInstant } from '../../../src/domain/new-york.ts';
import type { Db, Row } from '../../../src/storage/db.ts';
import type { Receiver } from '../world/receiver.ts';
import type { StoreHistory } from './store-history.ts';

interface DeliveryRow extends Row {
  id: string;
  endpoint_id: string;
  symbol: string;
  state: string;
  attempts: number;
  unknown: number;
  max_attempts: number;
  has_successor: boolean;
  code: string | null;
}

interface SubscriptionRow extends Row {
  endpoint_id: string;
  symbol: string;
  answered_data: string | null;
  open: number;
  newest: string | null;
}

interface DeliveryCheckDeps {
  db: Db;
  now: () => number;
  receivers: ReadonlyMap<string, Receiver>;
  history: StoreHistory;
  /** Ids of deliveries for which a sender received a 2xx. */
  delivered: ReadonlySet<string>;
}

const UNKNOWN_MAX = 24;
/** Upper bound for the difference between the workers' clocks. */
const SKEW_MS = 60_000;
const CANCEL_CODES = ['no_change', 'cancelled'];

/**
 * Checks that deliveries end in a legitimate state and that subscribers receive the current data.
 */
export class DeliveryCheck {
  readonly #deps: DeliveryCheckDeps;
  readonly #report: (violation: string) => void;
  readonly #receivers: ReadonlyMap<string, Receiver>;
  readonly #finalStates = new Map<string, string>();
  #checkedAt = 0;

  constructor(deps: DeliveryCheckDeps, report: (violation: string) => void) {
    this.#deps = deps;
    this.#report = report;
    this.#receivers = new Map(
      [...deps.receivers.values()].map((receiver) => [receiver.endpointId, receiver]),
    );
  }

  /** Returns the number of finished deliveries by state. */
  countByState(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const state of this.#finalStates.values()) counts[state] = (counts[state] ?? 0) + 1;
    return counts;
  }

  /** Checks that each finished delivery ended in a legitimate state. */
  async checkFinished(): Promise<void> {
    const { db, now } = this.#deps;
    const rows = await db.query<DeliveryRow>(
      `select d.id, d.endpoint_id, d.symbol, d.state, d.attempt_count as attempts,
              d.unknown_count as unknown, d.max_attempts, d.last_error_code as code,
              exists (select 1 from delivery n where n.id = d.superseded_by) as has_successor
         from delivery d where d.finished_at > to_timestamp($1 / 1000.0)`,
      [this.#checkedAt - SKEW_MS],
    );
    this.#checkedAt = now();
    await this.#checkNotReopened([...this.#finalStates.keys()].slice(-200));
    for (const row of rows) {
      const before = this.#finalStates.get(row.id);
      if (before !== undefined && before !== row.state) this.#report(`${row.id} finished twice`);
      this.#finalStates.set(row.id, row.state);
      const violation = this.#violationOf(row);
      if (violation !== null) this.#report(`${row.id} ${violation}`);
    }
  }

  async #checkNotReopened(ids: readonly string[]): Promise<void> {
    const open = await this.#deps.db.query<{ id: string; state: string }>(
      `select id, state from delivery where id = any($1::text[]) and finished_at is null`,
      [ids],
    );
    for (const { id, state } of open) this.#report(`${id} was finished and is ${state} again`);
  }

  #violationOf(row: DeliveryRow): string | null {
    switch (row.state) {
      case 'delivered': {
        const isAccepted = this.#receivers.get(row.endpoint_id)?.accepted.has(row.id) === true;
        if (isAccepted && this.#deps.delivered.has(row.id)) return null;
        return 'is delivered without a receipt';
      }
      case 'superseded':
        return row.has_successor ? null : 'is superseded without a successor';
      case 'failed': {
        const isExhausted = row.attempts - row.unknown >= row.max_attempts;
        const isOver = isExhausted || row.unknown >= UNKNOWN_MAX || row.code === 'gone';
        return isOver ? null : `failed after ${row.attempts} attempts (${row.code})`;
      }
      case 'cancelled':
        return CANCEL_CODES.includes(row.code ?? '') ? null : `is cancelled: ${row.code}`;
      default:
        return `is finished and ${row.state}`;
    }
  }

  /**
   * Checks that each subscriber has the current data, has an open delivery, or could not be
   * reached. Call it only after the workers have had time to send. Returns false, without a check,
   * while changes are still queued.
   */
  async checkSubscribers(isExcused: (symbol: string) => boolean): Promise<boolean> {
    if (!(await this.#isQueueEmpty())) return false;
    const rows = await this.#deps.db.query<SubscriptionRow>(
      `select s.endpoint_id, s.symbol, s.answered_data,
              (select count(*) from delivery d where d.endpoint_id = s.endpoint_id
                  and d.symbol = s.symbol and d.finished_at is null) as open,
              (select d.state from delivery d where d.endpoint_id = s.endpoint_id
                  and d.symbol = s.symbol and d.state <> 'cancelled'
                order by d.created_at desc, d.id desc limit 1) as newest
         from webhook_subscription s`,
    );
    for (const row of rows) if (!isExcused(row.symbol)) this.#checkSubscription(row);
    return true;
  }

  async #isQueueEmpty(): Promise<boolean> {
    const { db, now } = this.#deps;
    const midnight = newYorkInstant(newYorkDate(now()), 0);
    const [queue] = await db.query<{ queued: number; unread: number; rolled: number | null }>(
      `select (select count(*) from webhook_fan_out) as queued,
              (select position from webhook_cursor where name = 'midnight') as rolled,
              (select count(*) from change_record c where c.id >
                 coalesce((select position from webhook_cursor where name = 'changes'), 0)) as unread`,
    );
    if (queue === undefined || queue.queued > 0 || queue.unread > 0) return false;
    return queue.rolled !== null && queue.rolled >= midnight;
  }

  #checkSubscription({ endpoint_id: endpointId, symbol, ...row }: SubscriptionRow): void {
    const data = this.#deps.history.current(symbol);
    if (data === null || row.open > 0 || row.newest === 'failed') return;
    const key = `${endpointId} ${symbol}`;
    if (row.answered_data !== data) {
      this.#report(`${key} last acknowledged ${row.answered_data}, not ${data}`);
    }
    const stored = this.#receivers.get(endpointId)?.stored.get(symbol);
    if (stored !== undefined && row.newest === 'delivered' && JSON.stringify(stored) !== data) {
      this.#report(`${key} holds ${JSON.stringify(stored)}, the store ${data}`);
    }
  }
}
