import { localDate, toEpochDay } from '../../../src/domain/local-date.ts';
import type { Queryable, Row } from '../../../src/storage/db.ts';
import type { SimulatedCustomer } from '../world/customers.ts';
import type { ReaderResponse } from '../parts/reader.ts';

const MINUTE_MS = 60_000;
const calendar = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });

interface Usage {
  /** Admissions in the last minute, by the monotonic clock. */
  minute: number[];
  /** Latest day and month in which a request was counted. */
  day: Window;
  month: Window;
}

interface StoredUse extends Row {
  id: string;
  day: number;
  count: number;
}

interface Window {
  id: string;
  count: number;
  doubtful: number;
}

export interface QuotaCheck {
  /**
   * Records one request and its response, which is null if the process died before it responded.
   */
  add(
    customer: SimulatedCustomer,
    response: ReaderResponse | null,
    at: { wallMs: number; ms: number },
  ): void;
  /**
   * Forgets the minute window. Called when the metering process was killed, which loses nothing
   * else.
   */
  forgetMinutes(): void;
  /** Checks that the store has counted every admitted request of the latest day. */
  checkStored(db: Queryable): Promise<void>;
  counted(): Record<string, number>;
}

/** Counts every customer's admitted requests independently of the service. */
export function createQuotaCheck(report: (violation: string) => void): QuotaCheck {
  const uses = new Map<string, Usage>();
  const counts: Record<string, number> = {};

  function add(
    customer: SimulatedCustomer,
    response: ReaderResponse | null,
    { wallMs, ms }: { wallMs: number; ms: number },
  ): void {
    const use = uses.get(customer.id) ?? newUsage();
    uses.set(customer.id, use);
    const today = calendar.format(wallMs);
    const windows = {
      day: windowAt(use.day, today),
      month: windowAt(use.month, today.slice(0, 7)),
    };
    use.minute = use.minute.filter((at) => ms - at < MINUTE_MS);
    const kind = response === null ? 'cut off' : String(response.status);
    counts[kind] = (counts[kind] ?? 0) + 1;
    // A refusal opens no window. If the clock steps back, the previous window continues.
    if (response?.status === 429) return checkRefusal(customer, { ...use, ...windows });
    Object.assign(use, windows);
    if (response === null || response.status >= 500) {
      // Only the store knows whether the request was counted.
      use.day.doubtful += 1;
      use.month.doubtful += 1;
    } else admit(customer, use, ms);
  }

  function admit(customer: SimulatedCustomer, use: Usage, ms: number): void {
    use.minute.push(ms);
    use.day.count += 1;
    use.month.count += 1;
    const { perMinute, perDay, perMonth } = customer;
    const checkLimit = (period: string, count: number, limit: number | null): void => {
      if (limit !== null && count > limit) {
        report(`${customer.id} was admitted ${count} times in one ${period} of ${limit}`);
      }
    };
    checkLimit('minute', use.minute.length, perMinute);
    checkLimit(`day (${use.day.id})`, use.day.count, perDay);
    checkLimit(`month (${use.month.id})`, use.month.count, perMonth);
  }

  function checkRefusal({ id, perMinute, perDay, perMonth }: SimulatedCustomer, use: Usage): void {
    const isFull =
      use.minute.length + use.day.doubtful >= perMinute ||
      (perDay !== null && use.day.count + use.day.doubtful >= perDay) ||
      (perMonth !== null && use.month.count + use.month.doubtful >= perMonth);
    if (!isFull) report(`${id} was refused below all limits`);
  }

  return {
    add,
    checkStored: async (db) => (await lostCounts(db, uses)).forEach((lost) => report(lost)),
    forgetMinutes: () => uses.forEach((use) => void (use.minute = [])),
    counted: () => counts,
  };
}

/** Returns, as sentences, the admissions that the store has not counted. */
async function lostCounts(db: Queryable, uses: ReadonlyMap<string, Usage>): Promise<string[]> {
  const rows = await db.query<StoredUse>(
    'select customer_id as id, day_id as day, day_count as count from quota_use',
  );
  const storedById = new Map(rows.map((row) => [row.id, row]));
  return [...uses].flatMap(([id, { day }]) => {
    if (day.count === 0) return [];
    const dayId = toEpochDay(localDate(day.id));
    const stored = storedById.get(id) ?? { day: dayId, count: 0 };
    const storedCount = stored.day < dayId ? 0 : stored.count;
    if (stored.day > dayId || storedCount >= day.count) return [];
    return [
      `${id} was admitted ${day.count} times on ${day.id}, ${storedCount} of them are stored`,
    ];
  });
}

function newUsage(): Usage {
  return {
    minute: [],
    day: { id: '', count: 0, doubtful: 0 },
    month: { id: '', count: 0, doubtful: 0 },
  };
}

/**
 * Returns the window for this day or month. A clock that steps back never reopens an earlier
 * window.
 */
function windowAt(window: Window, id: string): Window {
  return id > window.id ? { id, count: 0, doubtful: 0 } : window;
}
