import type { Instant } from '../../platform/instant.ts';
import type { LocalDate } from '../../domain/local-date.ts';

/**
 * What a source can say of an earnings report. Observations are stored as they came, every one;
 * the merge derives the canonical events from all of them. A property that is absent means the
 * source does not speak of it; null means it speaks and has no value.
 */
export type EarningsObservation =
  | CalendarObservation
  | FiguresObservation
  | FilingObservation
  | FinancialsObservation;

export type SessionMarker =
  | 'time-pre-market'
  | 'time-after-hours'
  | 'time-during-market'
  | 'time-not-supplied';

/** What calendars and analysts' pages alike can say of a quarter. */
export interface ReportFigures {
  /** Decimal text, per share. */
  epsEstimate?: string | null;
  eps?: string | null;
  epsYearAgo?: string | null;
  epsBasis?: 'gaap' | 'adjusted' | 'ffo';
  estimateCount?: number | null;
  /** Decimal text in whole units of the report's currency. */
  revenueEstimate?: string | null;
  revenue?: string | null;
}

/** A row of an earnings calendar, before or after the report, or of a list of past surprises. */
export interface CalendarObservation extends ReportFigures {
  kind: 'calendar';
  symbol: string;
  name?: string | null;
  date: LocalDate;
  time: SessionMarker;
  /** What the source claims of the date, if it does. */
  dateStatus?: 'projected' | 'confirmed';
  /** Last day of the fiscal period; for a source that names only a month, that month's last day. */
  fiscalPeriodEnd?: LocalDate | null;
  fiscalPeriodPrecision?: 'day' | 'month';
  fiscalYear?: number | null;
  fiscalQuarter?: number | null;
  currency?: string | null;
  /** Exact instant of release, when the source gives one. */
  reportedAt?: Instant | null;
  lastYearReportDate?: LocalDate | null;
  sourceUrl?: string | null;
}

/**
 * Figures of one fiscal quarter from a source that does not tell the day of the report. They join
 * the report of that quarter, and wait until another source names its day.
 */
export interface FiguresObservation extends ReportFigures {
  kind: 'figures';
  symbol: string;
  /** As in `CalendarObservation`. */
  fiscalPeriodEnd: LocalDate;
  fiscalPeriodPrecision: 'day' | 'month';
}

/** An 8-K (or 8-K/A) with item 2.02: results were furnished to the SEC. */
export interface FilingObservation {
  kind: 'filing';
  cik: string;
  accession: string;
  form: string;
  items: readonly string[];
  filingDate: LocalDate;
  /** Date of the event by the cover page, often a day before the announcement. */
  reportDate: LocalDate | null;
  /**
   * The acceptance time read both ways, since the source marks New York clock and UTC alike with
   * `Z`; one value when it is certain.
   */
  acceptance: { certain: Instant } | { ifNewYork: Instant; ifUtc: Instant };
  sourceUrl: string | null;
}

/** Reported figures of one fiscal quarter from XBRL, reduced to what was first and last filed. */
export interface FinancialsObservation {
  kind: 'financials';
  cik: string;
  periodStart: LocalDate | null;
  periodEnd: LocalDate;
  /** The company's own labels, from the filing that first reported the period; null when unsure. */
  fiscalYear: number | null;
  fiscalQuarter: number | null;
  currency: string;
  revenue: FiledFigure | null;
  epsDiluted: FiledFigure | null;
  /**
   * Of the fiscal year that ends with this quarter. Annual reports repeat years and not quarters,
   * so that a change of the share basis shows in them first.
   */
  epsDilutedYear?: FiledFigure | null;
}

export interface FiledFigure {
  tag: string;
  /** Decimal text as first filed: what the market saw. */
  first: string;
  /** Decimal text as last filed: restated, split-adjusted. */
  latest: string;
  /** When `first` was filed. */
  filedDate: LocalDate;
  /** When `latest` was filed; `filedDate` when the figure was filed once. */
  latestFiledDate: LocalDate;
  /** The earliest filing since which every one has given `latest`. */
  latestSinceDate: LocalDate;
  accession: string;
  form: string;
  /** True when it is the year less nine months and was never filed as a quarter. */
  derived: boolean;
}
