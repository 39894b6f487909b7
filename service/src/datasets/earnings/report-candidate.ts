import type { LocalDate } from '../../domain/local-date.ts';
import type { ShareSplit } from '../../domain/share-splits.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import type { Instant } from '../../platform/instant.ts';
import type { QuarantineReason } from '../dataset.ts';
import type { FiscalYearEnd } from '../profiles/fiscal-year-ends.ts';
import { latest, type ObservationHistory } from '../source-records/observation-history.ts';
import type { FiscalCalendar } from './fiscal-calendar.ts';
import type {
  CalendarObservation,
  EarningsObservation,
  FiguresObservation,
  FilingObservation,
  FinancialsObservation,
  ReleaseObservation,
  SessionMarker,
  StatedFigureObservation,
} from './observation.ts';
import type { ProjectedReport } from './projection/project-report.ts';
import { byPrecedence } from './precedence.ts';
import type { EarlierId } from '../securities/row.ts';
import type { FieldSource } from './row.ts';

/** A split with the source that first revealed it. */
export interface KnownSplit extends ShareSplit {
  source: FieldSource;
}

export type CalendarHistory = ObservationHistory<CalendarObservation>;
export type FiguresHistory = ObservationHistory<FiguresObservation>;
export type FinancialsHistory = ObservationHistory<FinancialsObservation>;
export type FilingHistory = ObservationHistory<FilingObservation>;
export type ReleaseHistory = ObservationHistory<ReleaseObservation>;
export type StatedFigureHistory = ObservationHistory<StatedFigureObservation>;

export interface EarningsInput {
  securityId: string;
  /** Ids by symbol that the security had before lists showed its renaming, and until when. */
  earlierIds: ReadonlyMap<string, EarlierId>;
  symbol: string;
  securityName: string | null;
  /**
   * Time when lists first showed the current symbol; null if the security never had a different
   * symbol.
   */
  renamedAt: Instant | null;
  /** Null if no filing states the fiscal year end. */
  fiscalYearEnd: FiscalYearEnd | null;
  /** Oldest first, without duplicates. */
  splits: readonly KnownSplit[];
  histories: readonly ObservationHistory<EarningsObservation>[];
  /** Withdrawal times of the withdrawn histories. */
  withdrawals: Withdrawals;
  market: MarketCalendar;
  /** New York day of the derivation. A projected report is never on an earlier day. */
  today: LocalDate;
}

/** Withdrawal instants by history. Histories that their source still lists are absent. */
export type Withdrawals = ReadonlyMap<ObservationHistory<object>, Instant>;

/** Everything reported about one fiscal quarter. One event is derived from it. */
export interface ReportCandidate {
  /** `YYYY-MM`, aligned to the company's fiscal calendar. */
  label: string;
  /** False if no source states the period, so that it is inferred from the report date. */
  isPeriodKnown: boolean;
  calendars: CalendarHistory[];
  /** Rows that were withdrawn before their report date. Only their withdrawal instant is used. */
  cancelled: CalendarHistory[];
  /**
   * Rows that their source replaced with rows for this period. They contain earlier expectations.
   */
  replaced: CalendarHistory[];
  /** Figures from sources that do not provide the report date. */
  figures: FiguresHistory[];
  financials: FinancialsHistory | null;
  filing: MatchedFiling | null;
  /** The press release in the filing; the newest one if an amendment repeats it. */
  release: ReleaseHistory | null;
  /** Figures in press releases that passed all checks, the newest document first. */
  stated: StatedFigureHistory[];
  /** Set if no source dates the next report. */
  projected: SourcedProjection | null;
}

/** A projected report with the newest filing that it is projected from. */
export interface SourcedProjection extends ProjectedReport {
  source: FieldSource;
}

/** Candidates by label. */
export type Candidates = ReadonlyMap<string, ReportCandidate>;

/** An 8-K matched to a report. */
export interface MatchedFiling {
  histories: FilingHistory[];
  accession: string;
  /** Release date: the day of acceptance, or an earlier day if the filing followed the release. */
  date: LocalDate;
  /** Acceptance time; null if it can only be read from the filing's own page. */
  at: Instant | null;
  sourceUrl: string | null;
  /** Earliest date of the news on the cover pages; null if no cover page has a date. */
  coverDate: LocalDate | null;
  isAmendment: boolean;
  /** Null if no source states it. */
  sizeBytes: number | null;
  /** Session of a release on an earlier day; null if the acceptance time shows the session. */
  releaseSession: SessionMarker | null;
  /** Accession numbers of the filings that repeat its news, oldest first. */
  repeatedBy: readonly string[];
}

/** The row that replaced an earlier row, and the time of the replacement. */
export interface Replacement {
  replacement: CalendarHistory;
  at: Instant;
}

export interface QuarantinedHistory {
  history: ObservationHistory<unknown>;
  reason: QuarantineReason;
}

/** The state of a derivation between two steps of `derive.ts`. */
export interface Derivation {
  readonly input: EarningsInput;
  /** Calendar rows in use; see `replaced` and `cancelled` for the others. */
  readonly calendars: readonly CalendarHistory[];
  readonly cancelled: readonly CalendarHistory[];
  readonly replaced: ReadonlyMap<CalendarHistory, Replacement>;
  readonly figures: readonly FiguresHistory[];
  readonly financials: readonly FinancialsHistory[];
  readonly filings: readonly FilingHistory[];
  readonly releases: readonly ReleaseHistory[];
  readonly stated: readonly StatedFigureHistory[];
  readonly withdrawals: Withdrawals;
  readonly fiscalCalendar: FiscalCalendar;
  readonly candidates: Candidates;
  readonly quarantined: readonly QuarantinedHistory[];
}

export const NO_DATE: QuarantineReason = {
  reason: 'release-date-unknown',
  detail: 'the figures are known, the release date is not',
};

/** Returns a copy that a step may change. */
export function copyCandidates(candidates: Candidates): Map<string, ReportCandidate> {
  return new Map(
    [...candidates].map(([label, { calendars, cancelled, replaced, figures, stated, ...rest }]) => [
      label,
      {
        ...rest,
        calendars: [...calendars],
        cancelled: [...cancelled],
        replaced: [...replaced],
        figures: [...figures],
        stated: [...stated],
      },
    ]),
  );
}

/**
 * Returns the candidate for a quarter, adding it if missing. An existing candidate keeps its
 * `isPeriodKnown`.
 */
export function candidateAt(
  candidates: Map<string, ReportCandidate>,
  label: string,
  isPeriodKnown = true,
): ReportCandidate {
  const existing = candidates.get(label);
  if (existing !== undefined) return existing;
  const candidate: ReportCandidate = {
    label,
    isPeriodKnown,
    calendars: [],
    cancelled: [],
    replaced: [],
    figures: [],
    financials: null,
    filing: null,
    release: null,
    stated: [],
    projected: null,
  };
  candidates.set(label, candidate);
  return candidate;
}

/** Returns the date in the preferred calendar, or null without calendars. */
export function scheduledDate(candidate: ReportCandidate): LocalDate | null {
  const [first] = candidate.calendars.toSorted(byPrecedence('date'));
  return first === undefined ? null : latest(first).fields.date;
}

/** Returns the exact quarter ends by label, taken from reported financials. */
export function quarterEnds(candidates: Candidates): Map<string, LocalDate> {
  const ends = new Map<string, LocalDate>();
  for (const { label, financials } of candidates.values()) {
    if (financials !== null) ends.set(label, latest(financials).fields.periodEnd);
  }
  return ends;
}
