import type { Instant } from '../../platform/instant.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { DocumentCell } from '../versions/versioned-table.ts';

/**
 * The values that a source can report for an earnings report. Every observation is stored as
 * received, and the merge derives the canonical events from all of them. An absent property means
 * that the source never reports it; null means that the source has no value.
 */
export type EarningsObservation =
  | AcceptancesObservation
  | CalendarObservation
  | CallObservation
  | FiguresObservation
  | FilingObservation
  | FinancialsObservation
  | ReleaseObservation
  | StatedFigureObservation;

export const SESSION_MARKERS = [
  'time-pre-market',
  'time-after-hours',
  'time-not-supplied',
  'time-during-market',
] as const;

export type SessionMarker = (typeof SESSION_MARKERS)[number];

/** Figures for a quarter, as calendars and analyst pages show them. */
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
  /** The estimates in detail, from a page about one company. */
  epsConsensus?: EpsConsensus;
  revenueConsensus?: Consensus;
}

/** One source's estimates for a quarter. Amounts are decimal text; an unknown value is null. */
export interface Consensus {
  mean: string | null;
  low: string | null;
  high: string | null;
  /** Number of analysts. */
  count: number | null;
}

/** The EPS estimates with their recent development, which changes with the calendar day. */
export interface EpsConsensus extends Consensus {
  mean7DaysAgo: string | null;
  mean30DaysAgo: string | null;
  mean60DaysAgo: string | null;
  mean90DaysAgo: string | null;
  /** Number of estimates raised and lowered; null if the source counts none of them. */
  revisions: EstimateRevisions | null;
}

export interface EstimateRevisions {
  upLast7Days: number | null;
  downLast7Days: number | null;
  /** Nasdaq counts four weeks. */
  upLast30Days: number | null;
  downLast30Days: number | null;
}

/** A row in an earnings calendar, before or after the report, or in a list of past surprises. */
export interface CalendarObservation extends ReportFigures {
  kind: 'calendar';
  symbol: string;
  name?: string | null;
  date: LocalDate;
  time: SessionMarker;
  /** Status of the date according to the source, if the source has one. */
  dateStatus?: 'projected' | 'confirmed';
  /**
   * Last day of the fiscal period. If the source gives only a month, the last day of that month.
   */
  fiscalPeriodEnd?: LocalDate | null;
  fiscalPeriodPrecision?: 'day' | 'month';
  fiscalYear?: number | null;
  fiscalQuarter?: number | null;
  currency?: string | null;
  /** Exact release time, if the source has one. */
  reportedAt?: Instant | null;
  /** Start of the conference call, if the source has one. */
  callAt?: Instant | null;
  lastYearReportDate?: LocalDate | null;
  sourceUrl?: string | null;
}

/**
 * Figures for one fiscal quarter from a source without the report date. They join the report for
 * that quarter, and wait until another source provides its date.
 */
export interface FiguresObservation extends ReportFigures {
  kind: 'figures';
  symbol: string;
  /** As in `CalendarObservation`. */
  fiscalPeriodEnd: LocalDate;
  fiscalPeriodPrecision: 'day' | 'month';
}

/**
 * A conference call about results. It joins the report published on that day or shortly before, and
 * never changes the report's date.
 */
export interface CallObservation {
  kind: 'call';
  symbol: string;
  callAt: Instant;
}

/**
 * An 8-K (or 8-K/A) with item 2.02: results were furnished to the SEC. A 6-K has no items, so it
 * counts only together with a `ReleaseObservation`.
 */
export interface FilingObservation {
  kind: 'filing';
  cik: string;
  accession: string;
  form: string;
  items: readonly string[];
  filingDate: LocalDate;
  /** Event date on the cover page, often a day before the announcement. */
  reportDate: LocalDate | null;
  /**
   * Both possible acceptance times, because the source marks both New York time and UTC with `Z`; a
   * single value if it is certain.
   */
  acceptance: { certain: Instant } | { ifNewYork: Instant; ifUtc: Instant };
  /** Size of the complete submission in bytes, which tells a report from a short notice. */
  size?: number;
  sourceUrl: string | null;
}

/**
 * The acceptance times of a filer's periodic reports, in whose XBRL facts `FiledFigure` finds its
 * values. One observation holds all of them, because a page lists them together.
 */
export interface AcceptancesObservation {
  kind: 'acceptances';
  cik: string;
  /** Ordered by accession number. */
  reports: PeriodicReport[];
}

export interface PeriodicReport {
  accession: string;
  filingDate: LocalDate;
  /** As in `FilingObservation`. */
  acceptance: FilingObservation['acceptance'];
}

/** The exhibit of a filing that states results. */
interface StatedInExhibit {
  cik: string;
  accession: string;
  documentUrl: string;
  /** Last day of the quarter that the document reports. */
  periodEnd: LocalDate;
}

/**
 * A company's press release about a quarter, from an exhibit of its filing. Each of its figures is
 * an observation of its own, so that one can be quarantined without the others.
 */
export interface ReleaseObservation extends StatedInExhibit {
  kind: 'release';
  /** Start of the text, which shows whose release it is. */
  opening: string;
  callAt: Instant | null;
  /** Ranges that the company expects; absent if it states none. */
  guidance?: readonly StatedGuidance[];
}

export type GuidanceMetric = 'eps' | 'epsAdjusted' | 'revenue';

/** A range that a company expects for a later period. */
export interface StatedGuidance {
  metric: GuidanceMetric;
  /** Null if the document does not say which. */
  period: 'quarter' | 'year' | null;
  /** Decimal text, per share or in whole units of the currency. */
  low: string;
  /** Equal to `low` for a single figure. */
  high: string;
  currency: string;
  /** The sentence that states it. */
  text: string;
}

export type StatedFigureName = 'epsGaap' | 'epsAdjusted' | 'revenue';

/** One figure for the quarter, as a press release states it. */
export interface StatedFigureObservation extends StatedInExhibit {
  kind: 'stated-figure';
  figure: StatedFigureName;
  /** Decimal text, per share or in whole units of the currency. EPS is diluted. */
  value: string;
  currency: string;
  /** The value beside it for the quarter a year before; null if the document has none. */
  yearAgo: string | null;
  cell: DocumentCell;
}

/** Reported figures for one fiscal quarter from XBRL, reduced to the first and the last filing. */
export interface FinancialsObservation {
  kind: 'financials';
  cik: string;
  periodStart: LocalDate | null;
  periodEnd: LocalDate;
  /** The company's labels, from the filing that first reported the period; null if uncertain. */
  fiscalYear: number | null;
  fiscalQuarter: number | null;
  currency: string;
  revenue: FiledFigure | null;
  epsDiluted: FiledFigure | null;
  /**
   * Figure for the fiscal year that ends with this quarter. Annual reports repeat years and not
   * quarters, so a change in share basis appears in the annual figure first.
   */
  epsDilutedYear?: FiledFigure | null;
}

export interface FiledFigure {
  tag: string;
  /** Decimal text as first filed, which is the value the market saw. */
  first: string;
  /** Decimal text as last filed, including restatements and split adjustments. */
  latest: string;
  /** Date on which `first` was filed. */
  filedDate: LocalDate;
  /** Date on which `latest` was filed; equals `filedDate` if the figure was filed once. */
  latestFiledDate: LocalDate;
  /** Date of the earliest filing since which all filings have contained `latest`. */
  latestSinceDate: LocalDate;
  accession: string;
  form: string;
  /**
   * True if the figure is the year minus nine months and was never filed for the quarter itself.
   */
  derived: boolean;
  /**
   * Date on which the last filing needed to compute `first` was filed; absent if that is
   * `filedDate`.
   */
  knownDate?: LocalDate;
}
