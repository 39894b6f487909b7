import { topics } from '../datasets/topics.gen.ts';
import {
  isBetween,
  isOpen,
  loadPublicIpos,
  type PublicIpos,
} from '../datasets/ipos/load-public.ts';
import type { Ipo } from '../datasets/ipos/row.ts';
import { loadIposBetween, loadOpenIpos, type OpenSince } from '../datasets/ipos/store.ts';
import { addDays, type LocalDate } from '../domain/local-date.ts';
import { nextNewYorkMidnight } from '../domain/new-york.ts';
import { compareText } from '../platform/compare.ts';
import type { Queryable } from '../storage/db.ts';
import type { Endpoint } from './endpoint.ts';
import { type DateRange, requestedRange, rangeFault, rangeParameters } from './rows/date-range.ts';
import { IPO_SOURCES, type IpoRow, ipoRow, renderIpo } from './rows/ipo-row.ts';
import {
  gapsAt,
  isPublic,
  type PointInTime,
  pointInTimeOf,
  withPastReads,
} from './rows/past-reads.ts';
import { includeParameter, withProvenance } from './rows/provenance.ts';
import { filterBySymbols, symbolsParameter } from './rows/symbol-filter.ts';
import { list } from './schema/fields.ts';

/** Number of days that a deal remains listed after its expected date if no update is received. */
const EXPECTED_LATE_DAYS = 30;
/** Number of days that a filing remains listed without progress. */
const FILED_DAYS = 365;

const DAYS_MAX = 400;

export const endpoint: Endpoint = withPastReads({
  name: 'calendar-ipo',
  path: '/v1/calendar/ipo',
  summary: 'Upcoming IPOs',
  describe:
    'Upcoming offerings: expected, filed, postponed, and priced but not yet trading, sorted ' +
    `by date with unknown dates last. A deal stays for ${EXPECTED_LATE_DAYS} days after its ` +
    `date passed without news, a filing without progress for ${FILED_DAYS}. With \`from\` and ` +
    '`to`, every deal of that range, whatever its outcome: by pricing date, or else by ' +
    'withdrawal or filing date.',
  tag: 'calendars',
  parameters: [...rangeParameters(DAYS_MAX), symbolsParameter, includeParameter],
  check: (values) => rangeFault(values, DAYS_MAX),
  response: list(ipoRow, 'Offerings, by date.'),
  example: [
    {
      id: 'ipo_3f8d21c6b07e4a95d1c2',
      symbol: 'QLLN',
      companyName: 'Quillon Robotics Inc.',
      exchange: 'NASDAQ',
      mic: 'XNAS',
      date: '2026-12-03',
      dateStatus: 'expected',
      status: 'expected',
      offeringType: null,
      priceLow: 14,
      priceHigh: 16,
      price: null,
      shares: 9_000_000,
      dealSize: 165_600_000,
      currency: 'USD',
      filedDate: '2026-10-30',
      pricedDate: null,
      underwriters: [],
      lockupExpiration: null,
      cik: null,
      filingUrl: null,
      updatedAt: '2026-11-18T13:30:00Z',
    } satisfies IpoRow,
  ],
  datasets: ['ipos'],
  historicalAccess: false,
  topics: () => [topics.ipos.any],
  validUntil: (_, now) => nextNewYorkMidnight(now),
  maxAgeSeconds: () => 900,
  async handle(values, { db, now }) {
    const point = pointInTimeOf(values, now);
    const { ipos, recordedSince } = await loadIpos(db, requestedRange(values), point);
    const rows = filterBySymbols(ipos, values).toSorted(byDate);
    const entityKeysOf = (numbers: readonly number[]) =>
      Promise.resolve(numbers.map((row) => rows[row]?.subject ?? '').map((subject) => [subject]));
    const query = { dataset: 'ipos', rows, fields: IPO_SOURCES, entityKeysOf };
    return {
      kind: 'body',
      body: await withProvenance(db, values, query, rows.map(renderIpo)),
      asOf: rows.length === 0 ? null : Math.max(...rows.map(({ updatedAt }) => updatedAt)),
      knownGaps: gapsAt(point, ['ipos'], recordedSince),
    };
  },
});

/** Loads the deals of a range, or the upcoming ones, as of a point in time. */
async function loadIpos(
  db: Queryable,
  days: DateRange | null,
  point: PointInTime,
): Promise<PublicIpos> {
  const since = openSince(point.today);
  if (isPublic(point)) {
    const { ipos, recordedSince } = await loadPublicIpos(db, point.at);
    const isWanted = (ipo: Ipo): boolean =>
      days === null ? isOpen(ipo, since) : isBetween(ipo, days);
    return { ipos: ipos.filter(isWanted), recordedSince };
  }
  const ipos =
    days === null
      ? await loadOpenIpos(db, since, point.at)
      : await loadIposBetween(db, days, point.at);
  return { ipos, recordedSince: null };
}

function openSince(today: LocalDate): OpenSince {
  return {
    expected: addDays(today, -EXPECTED_LATE_DAYS),
    filed: addDays(today, -FILED_DAYS),
    // A priced deal remains listed through its pricing date.
    priced: today,
  };
}

/**
 * Sorts by date, symbol and company with unknown values last, then by ID so that the order is
 * always the same.
 */
function byDate(a: Ipo, b: Ipo): number {
  const last = '\uFFFF';
  return (
    compareText(a.date ?? last, b.date ?? last) ||
    compareText(a.symbol ?? last, b.symbol ?? last) ||
    compareText(a.companyName, b.companyName) ||
    compareText(a.id, b.id)
  );
}
