import { marketCalendar } from '../../src/domain/market/calendar.ts';
import { localDate } from '../../src/domain/local-date.ts';
import type { Instant } from '../../src/platform/instant.ts';
import type {
  Observation,
  ObservationHistory,
} from '../../src/datasets/source-records/observation-history.ts';
import { type DerivedEarnings, deriveEarnings } from '../../src/datasets/earnings/derive.ts';
import type { EarningsInput } from '../../src/datasets/earnings/report-candidate.ts';
import type {
  CalendarObservation,
  EarningsObservation,
  FilingObservation,
  FinancialsObservation,
  ReleaseObservation,
  StatedFigureObservation,
} from '../../src/datasets/earnings/observation.ts';
import type { EarningsEvent } from '../../src/datasets/earnings/row.ts';
import { filedSplits } from '../../src/datasets/earnings/share-basis.ts';

/** Builds test histories for a made-up company, Northgate Instruments (NRTH). */

let lastRecordId = 0;

/** Returns one feed's values at these instants (`2026-02-10T12:00:00Z`), oldest first. */
export function history<Fields extends EarningsObservation>(
  feed: string,
  naturalKey: string,
  values: readonly (readonly [at: string, fields: Fields])[],
): ObservationHistory<EarningsObservation> {
  const [provider = '', name = ''] = feed.split('/');
  const observations = values.map(([at, fields]): Observation<EarningsObservation> => {
    return { at: instant(at), recordId: ++lastRecordId, fields };
  });
  return { provider, feed: name, entityKey: 'NRTH', naturalKey, observations };
}

/** Returns a calendar row with a period identified by its month, adjusted EPS and no session. */
export function row(
  date: string,
  fields: Partial<Omit<CalendarObservation, 'date' | 'kind'>> = {},
): CalendarObservation {
  return {
    kind: 'calendar',
    symbol: 'NRTH',
    date: localDate(date),
    time: 'time-not-supplied',
    fiscalPeriodEnd: localDate('2025-12-31'),
    fiscalPeriodPrecision: 'month',
    epsBasis: 'adjusted',
    ...fields,
  };
}

/** Returns a calendar row without a fiscal period. */
export function undated(
  date: string,
  fields: Partial<CalendarObservation> = {},
): CalendarObservation {
  return row(date, { fiscalPeriodEnd: null, ...fields });
}

/** Returns a row from Nasdaq's calendar for the quarter that ended in December 2025. */
export function nasdaq(
  ...values: (readonly [at: string, fields: CalendarObservation])[]
): ObservationHistory<EarningsObservation> {
  return history('nasdaq/calendar-earnings', '2025-12', values);
}

/** Returns an 8-K with results that was accepted at an instant. */
export function filing(acceptedAt: string, seenAt = '2026-06-01T00:00:00Z', filingDate?: string) {
  const accession = `0009990001-${acceptedAt.replaceAll(/\D/g, '')}`;
  const fields: FilingObservation = {
    kind: 'filing',
    cik: '0009990001',
    accession,
    form: '8-K',
    items: ['2.02', '9.01'],
    filingDate: localDate(filingDate ?? acceptedAt.slice(0, 10)),
    reportDate: null,
    acceptance: { certain: instant(acceptedAt) },
    sourceUrl: `https://www.sec.gov/${accession}`,
  };
  return history('sec/submissions', accession, [[seenAt, fields]]);
}

/** Returns the facts for a quarter, as read from XBRL. */
export function filed(
  periodEnd: string,
  fields: Partial<FinancialsObservation> = {},
  seenAt = '2026-06-01T00:00:00Z',
) {
  const observation: FinancialsObservation = {
    kind: 'financials',
    cik: '0009990001',
    periodStart: null,
    periodEnd: localDate(periodEnd),
    fiscalYear: null,
    fiscalQuarter: null,
    currency: 'USD',
    revenue: figure('1000000'),
    epsDiluted: figure('0.9'),
    ...fields,
  };
  return history('sec/companyfacts', `q:${periodEnd}`, [[seenAt, observation]]);
}

/** A press release in the filing of `filing(acceptedAt)`, for a quarter that ended in 2025. */
export interface StatedRelease {
  periodEnd?: string;
  opening?: string;
  callAt?: string;
  guidance?: ReleaseObservation['guidance'];
  currency?: string;
  documentUrl?: string;
  /** Each figure with its value for the year before. */
  epsGaap?: readonly [value: string, yearAgo?: string];
  epsAdjusted?: readonly [value: string, yearAgo?: string];
  revenue?: readonly [value: string, yearAgo?: string];
}

/** Returns the observations of a press release and of each of its figures. */
export function release(acceptedAt: string, stated: StatedRelease, seenAt = acceptedAt) {
  const { periodEnd = '2025-12-31', opening = 'Northgate Instruments reports results' } = stated;
  const accession = `0009990001-${acceptedAt.replaceAll(/\D/g, '')}`;
  const documentUrl = stated.documentUrl ?? `https://www.sec.gov/${accession}/ex991.htm`;
  const callAt = stated.callAt === undefined ? null : instant(stated.callAt);
  const document = { cik: '0009990001', accession, documentUrl, periodEnd: localDate(periodEnd) };
  const figures = (['epsGaap', 'epsAdjusted', 'revenue'] as const).flatMap((name) => {
    const [value, yearAgo = null] = stated[name] ?? [];
    if (value === undefined) return [];
    const fields: StatedFigureObservation = {
      kind: 'stated-figure',
      ...document,
      figure: name,
      value,
      yearAgo,
      currency: stated.currency ?? 'USD',
      cell: { row: name, column: 'Three months ended', offset: 100 },
    };
    return [history('sec/release', `${documentUrl}#${name}`, [[seenAt, fields]])];
  });
  const { guidance = [] } = stated;
  const fields: ReleaseObservation = { kind: 'release', ...document, opening, callAt, guidance };
  return [history('sec/release', documentUrl, [[seenAt, fields]]), ...figures];
}

export function figure(value: string): NonNullable<FinancialsObservation['revenue']> {
  return {
    tag: 'Revenues',
    first: value,
    latest: value,
    filedDate: localDate('2026-02-20'),
    latestFiledDate: localDate('2026-02-20'),
    latestSinceDate: localDate('2026-02-20'),
    accession: '0009990001-26-000001',
    form: '10-Q',
    derived: false,
  };
}

export function derive(
  histories: readonly ObservationHistory<EarningsObservation>[],
  input: Partial<EarningsInput> & { yearEnd?: string } = {},
): DerivedEarnings {
  const { yearEnd, ...rest } = input;
  return deriveEarnings({
    earlierIds: new Map(),
    securityId: 'sec_northgate',
    symbol: 'NRTH',
    securityName: 'Northgate Instruments Inc.',
    renamedAt: null,
    fiscalYearEnd:
      yearEnd === undefined
        ? null
        : {
            monthDay: yearEnd,
            source: {
              provider: 'sec',
              feed: 'submissions',
              seenAt: instant('2020-01-01T00:00:00Z'),
            },
          },
    splits: filedSplits(histories),
    histories,
    withdrawals: new Map(),
    market: marketCalendar(),
    today: localDate('2026-03-01'),
    ...rest,
  });
}

/** Returns the only event. Throws if there is not exactly one. */
export function onlyEvent({ events }: DerivedEarnings): EarningsEvent {
  const [event] = events;
  if (event === undefined || events.length > 1) throw new Error(`${events.length} events`);
  return event;
}

/** Returns the reasons for the quarantined records, one per record. */
export function quarantineReasons({ quarantined }: Pick<DerivedEarnings, 'quarantined'>): string[] {
  return [...quarantined.values()].map(({ reason }) => reason);
}

export function instant(text: string): Instant {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new RangeError(`invalid instant: ${text}`);
  return at;
}
