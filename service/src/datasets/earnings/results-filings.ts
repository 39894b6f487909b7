import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { sessionOf } from '../../domain/market/session-of.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { settleFilings } from '../../domain/settle-filings.ts';
import type { Instant } from '../../platform/instant.ts';
import { compareText } from '../../platform/compare.ts';
import { latest } from '../source-records/observation-history.ts';
import type { FilingObservation } from './observation.ts';
import { byPrecedence } from './precedence.ts';
import type {
  Derivation,
  FilingHistory,
  MatchedFiling,
  ReportCandidate,
} from './report-candidate.ts';
import { firmDates, nearestScheduled } from './scheduled-reports.ts';

/** A report is filed within four business days. Some companies take a few days more. */
const FILED_AFTER_DAYS_MAX = 10;
/** A filing with the cover date of an earlier one repeats its news for at most this long. */
const REPEATED_DAYS_MAX = 45;
/** A filing smaller than this part of another one is not its original. */
const ORIGINAL_SIZE_MIN = 0.4;
/**
 * Items about results and their exhibits, in both numberings. Any other item may be what the cover
 * page dates.
 */
const RESULTS_ITEMS: ReadonlySet<string> = new Set(['2.02', '7.01', '9.01', '7', '9', '12']);

/**
 * Returns one item per results filing, oldest first, with its acceptance time if it can be
 * determined. A filing accepted during the session whose cover page dates the results on an earlier
 * trading day followed the release, which has that date unless a calendar schedules the later day.
 */
export function collectFilings(derivation: Derivation): MatchedFiling[] {
  const { candidates, calendars, input } = derivation;
  const filings = withoutOtherNews(derivation);
  const byAccession = Map.groupBy(filings, (history) => latest(history).fields.accession);
  const acceptances = settleFilings(
    [...byAccession].map(([accession, group]) => {
      const filingDate = filingDateOf(group);
      const near = nearestScheduled(candidates, filingDate);
      return {
        accession,
        filingDate,
        coverDate: coverDateOf(group),
        readings: group.flatMap((history) =>
          history.observations.map(({ fields }) => fields.acceptance),
        ),
        marker: near === null ? null : sessionOfReport(near.candidate),
        scheduledDate: near?.date ?? null,
      };
    }),
  );
  const scheduledDays = firmDates(calendars);
  return [...byAccession]
    .map(([accession, group]): MatchedFiling => {
      const acceptance = acceptances.get(accession) ?? null;
      const at = acceptance === null || acceptance.confidence === 'guess' ? null : acceptance.at;
      const filing = toFiling(group, at);
      const isLate = isInSession(filing) && !scheduledDays.has(filing.date);
      const earlier = isLate ? releaseDayBefore(filing, input.market) : null;
      if (earlier === null) return filing;
      return { ...filing, date: earlier, releaseSession: 'time-not-supplied' };
    })
    .toSorted(
      (a, b) =>
        compareText(a.date, b.date) ||
        (a.at ?? 0) - (b.at ?? 0) ||
        compareText(a.accession, b.accession),
    );
}

/** A 6-K may have any news, so it counts only if a press release in it states results. */
function withoutOtherNews({ filings, releases }: Derivation): FilingHistory[] {
  const withResults = new Set(releases.map((history) => latest(history).fields.accession));
  return filings.filter((history) => {
    const { form, accession } = latest(history).fields;
    return !form.startsWith('6-K') || withResults.has(accession);
  });
}

function toFiling(histories: FilingHistory[], at: Instant | null): MatchedFiling {
  const fields = histories.map((history) => latest(history).fields);
  const [first] = fields;
  if (first === undefined) throw new RangeError('a filing without histories');
  const sizes = fields.flatMap(({ size }) => size ?? []);
  return {
    histories,
    accession: first.accession,
    date: at === null ? filingDateOf(histories) : newYorkDate(at),
    at,
    sourceUrl: fields.find(({ sourceUrl }) => sourceUrl !== null)?.sourceUrl ?? null,
    coverDate: coverDateOf(histories),
    isAmendment: fields.some(({ form }) => form.endsWith('/A')),
    sizeBytes: sizes.length === 0 ? null : Math.max(...sizes),
    releaseSession: null,
    repeatedBy: [],
  };
}

/**
 * Returns the trading day before the filing on which its cover page dates the results; null if the
 * cover page has another date, or if the filing has other news that the date may refer to.
 */
export function releaseDayBefore(
  { histories, date, coverDate }: MatchedFiling,
  market: MarketCalendar,
): LocalDate | null {
  if (coverDate === null || coverDate >= date || !market.isTradingDay(coverDate)) return null;
  if (daysBetween(coverDate, date) > FILED_AFTER_DAYS_MAX) return null;
  const items = histories.flatMap((history) => latest(history).fields.items);
  return items.every((item) => RESULTS_ITEMS.has(item)) ? coverDate : null;
}

/** Returns whether a filing was accepted during the session on every possible reading. */
function isInSession({ histories, at }: MatchedFiling): boolean {
  const readings = histories.flatMap(({ observations }) =>
    observations.flatMap(({ fields }) => instantsOf(fields.acceptance)),
  );
  const instants = at === null ? readings : [at];
  return instants.every((instant) => sessionOf(instant) === 'time-during-market');
}

function instantsOf(acceptance: FilingObservation['acceptance']): Instant[] {
  return 'certain' in acceptance ? [acceptance.certain] : [acceptance.ifNewYork, acceptance.ifUtc];
}

/**
 * Returns the latest session before the open or after the close that the preferred calendar
 * reported.
 */
function sessionOfReport(
  candidate: ReportCandidate,
): 'time-pre-market' | 'time-after-hours' | null {
  for (const history of candidate.calendars.toSorted(byPrecedence('time'))) {
    for (const { fields } of history.observations.toReversed()) {
      if (fields.time === 'time-pre-market' || fields.time === 'time-after-hours') {
        return fields.time;
      }
    }
  }
  return null;
}

function coverDateOf(histories: readonly FilingHistory[]): LocalDate | null {
  const dates = histories.flatMap((history) => latest(history).fields.reportDate ?? []);
  return dates.toSorted()[0] ?? null;
}

function filingDateOf(histories: readonly FilingHistory[]): LocalDate {
  const [first] = histories.map((history) => latest(history).fields.filingDate).toSorted();
  if (first === undefined) throw new RangeError('a filing without histories');
  return first;
}

/**
 * Returns the earlier filing whose news each filing repeats, by accession number. Amendments and
 * transcripts have the cover date of the report.
 */
export function repeatedFilings(filings: readonly MatchedFiling[]): Map<string, MatchedFiling> {
  const repeated = new Map<string, MatchedFiling>();
  const inOrder = filings.toSorted(
    (a, b) => acceptedAt(a) - acceptedAt(b) || compareText(a.accession, b.accession),
  );
  for (const [index, filing] of inOrder.entries()) {
    const original = inOrder.slice(0, index).find((earlier) => isRepeatOf(filing, earlier));
    if (original !== undefined) repeated.set(filing.accession, original);
  }
  return repeated;
}

/** Ignores cover dates far from the filing: some companies use the end of the quarter. */
function isRepeatOf(filing: MatchedFiling, earlier: MatchedFiling): boolean {
  const { coverDate, sizeBytes } = filing;
  if (coverDate === null || coverDate !== earlier.coverDate) return false;
  if (Math.abs(daysBetween(coverDate, earlier.date)) > FILED_AFTER_DAYS_MAX) return false;
  if (daysBetween(earlier.date, filing.date) > REPEATED_DAYS_MAX) return false;
  return (earlier.sizeBytes ?? Infinity) >= ORIGINAL_SIZE_MIN * (sizeBytes ?? 0);
}

function acceptedAt({ at, histories }: MatchedFiling): Instant {
  return at ?? Date.parse(filingDateOf(histories));
}
