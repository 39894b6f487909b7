import { newYorkDate, newYorkInstant } from '../../../src/domain/new-york.ts';
import type { Db, Row } from '../../../src/storage/db.ts';
import type { Receiver } from '../world/receiver.ts';
import type { States } from './order.ts';

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

interface Told extends Row {
  endpoint_id: string;
  symbol: string;
  answered_data: string | null;
  open: number;
  newest: string | null;
}

const UNKNOWN_MAX = 24;
/** Upper bound of the difference between the workers' clocks. */
const SKEW_MS = 60_000;
const CANCELLED_BECAUSE = ['no_change', 'cancelled'];

export interface DeliveryCheck {
  /** Checks that each finished delivery ended in a legitimate state. */
  checkEnds(): Promise<void>;
  /**
   * Checks that each subscriber has the current data, has an open delivery, or could not be
   * reached. Requires that the workers have had time. Returns false, without a check, while changes
   * are still queued.
   */
  checkInformed(isExcused: (symbol: string) => boolean): Promise<boolean>;
  endings(): Record<string, number>;
}

/** Ledgers C and D. */
export function createDeliveryCheck(
  deps: {
    db: Db;
    now: () => number;
    receivers: ReadonlyMap<string, Receiver>;
    states: States;
    /** Ids of deliveries for which a sender received 2xx. */
    delivered: ReadonlySet<string>;
  },
  report: (wrong: string) => void,
): DeliveryCheck {
  const { db, states, delivered } = deps;
  const byId = new Map([...deps.receivers.values()].map((one) => [one.endpointId, one]));
  const ended = new Map<string, string>();
  let checkedAt = 0;

  async function checkEnds(): Promise<void> {
    const rows = await db.query<DeliveryRow>(
      `select d.id, d.endpoint_id, d.symbol, d.state, d.attempt_count as attempts,
              d.unknown_count as unknown, d.max_attempts, d.last_error_code as code,
              exists (select 1 from delivery n where n.id = d.superseded_by) as has_successor
         from delivery d where d.finished_at > to_timestamp($1 / 1000.0)`,
      [checkedAt - SKEW_MS],
    );
    checkedAt = deps.now();
    await checkNoneOpens([...ended.keys()].slice(-200));
    for (const row of rows) {
      const before = ended.get(row.id);
      if (before !== undefined && before !== row.state) report(`${row.id} ended twice`);
      ended.set(row.id, row.state);
      const wrong = faultOf(row);
      if (wrong !== null) report(`${row.id} ${wrong}`);
    }
  }

  /** A finished delivery never reopens. */
  async function checkNoneOpens(ids: readonly string[]): Promise<void> {
    const open = await db.query<{ id: string; state: string }>(
      `select id, state from delivery where id = any($1::text[]) and finished_at is null`,
      [ids],
    );
    for (const { id, state } of open) report(`${id} was over and is ${state} again`);
  }

  function faultOf(row: DeliveryRow): string | null {
    switch (row.state) {
      case 'delivered': {
        const isAccepted = byId.get(row.endpoint_id)?.accepted.has(row.id) === true;
        if (isAccepted && delivered.has(row.id)) return null;
        return 'is delivered without a receipt';
      }
      case 'superseded':
        return row.has_successor ? null : 'is superseded by nothing';
      case 'failed': {
        const isTried = row.attempts - row.unknown >= row.max_attempts;
        const isOver = isTried || row.unknown >= UNKNOWN_MAX || row.code === 'gone';
        return isOver ? null : `failed after ${row.attempts} attempts (${row.code})`;
      }
      case 'cancelled':
        return CANCELLED_BECAUSE.includes(row.code ?? '') ? null : `is cancelled: ${row.code}`;
      default:
        return `is over and ${row.state}`;
    }
  }

  async function checkInformed(isExcused: (symbol: string) => boolean): Promise<boolean> {
    const midnight = newYorkInstant(newYorkDate(deps.now()), 0);
    const [queue] = await db.query<{ queued: number; unread: number; rolled: number | null }>(
      `select (select count(*) from webhook_fan_out) as queued,
              (select position from webhook_cursor where name = 'midnight') as rolled,
              (select count(*) from change_record c where c.id >
                 coalesce((select position from webhook_cursor where name = 'changes'), 0)) as unread`,
    );
    if (queue === undefined || queue.queued > 0 || queue.unread > 0) return false;
    if (queue.rolled === null || queue.rolled < midnight) return false;
    const rows = await db.query<Told>(
      `select s.endpoint_id, s.symbol, s.answered_data,
              (select count(*) from delivery d where d.endpoint_id = s.endpoint_id
                  and d.symbol = s.symbol and d.finished_at is null) as open,
              (select d.state from delivery d where d.endpoint_id = s.endpoint_id
                  and d.symbol = s.symbol and d.state <> 'cancelled'
                order by d.created_at desc, d.id desc limit 1) as newest
         from webhook_subscription s`,
    );
    for (const row of rows) if (!isExcused(row.symbol)) checkTold(row);
    return true;
  }

  function checkTold({ endpoint_id: endpointId, symbol, ...row }: Told): void {
    const data = states.current(symbol);
    if (data === null || row.open > 0 || row.newest === 'failed') return;
    const key = `${endpointId} ${symbol}`;
    if (row.answered_data !== data)
      report(`${key} was last told ${row.answered_data}, not ${data}`);
    const held = byId.get(endpointId)?.held.get(symbol);
    if (held !== undefined && row.newest === 'delivered' && JSON.stringify(held) !== data) {
      report(`${key} holds ${JSON.stringify(held)}, the store ${data}`);
    }
  }

  return {
    checkEnds,
    checkInformed,
    endings: () => {
      const counts: Record<string, number> = {};
      for (const state of ended.values()) counts[state] = (counts[state] ?? 0) + 1;
      return counts;
    },
  };
}
