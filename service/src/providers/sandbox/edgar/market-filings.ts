import { addDays, type LocalDate, yearOf } from '../../../domain/local-date.ts';
import { newYorkDate, newYorkInstant, newYorkTimeOfDayMs } from '../../../domain/new-york.ts';
import type { Instant } from '../../../platform/instant.ts';
import type { Company } from '../market/company.ts';
import type { Market } from '../market/market.ts';
import { edgarDraws, randomInt, randomUnit } from '../market/random.ts';
import type { Report } from '../market/report.ts';
import { type Cycle, cycleOf } from '../market/trading-days.ts';
import type { SimulatedFiling } from './filing.ts';
import {
  LAYOUT_COUNT,
  type PeriodFigures,
  type ReleaseContent,
  type ReleaseFault,
  writeRelease,
} from './release-layouts.ts';

/** Faults of a filing: an amendment that repeats it, or a release with a mistake. */
export type FilingFault = 'amendment' | 'other-company' | ReleaseFault;

/** A report's filings: with its results, and the quarterly or annual report. */
export interface ReportFilings {
  results: SimulatedFiling;
  periodic: SimulatedFiling;
  /** Repeats the results one day later; null for most reports. */
  amendment: SimulatedFiling | null;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** EDGAR accepts filings between these times, and dates those of the evening on the next day. */
const OPENS_MINUTE = 6 * 60;
const EVENING_MINUTE = 17 * 60 + 30;
const CLOSES_MINUTE = 22 * 60;
/** The results are filed shortly before the calendar shows them. */
const LEAD_SECONDS = { min: 45, max: 240 };
const PERIODIC_DAYS = [0, 0, 0, 0, 1, 1, 2, 3, 5, 8] as const;
const ANNUAL_EXTRA_DAYS = 4;
const ADJUSTED_SHARE = 0.5;
const FAULT_SHARE = 0.35;
/** Companies from these countries file as foreign companies do. */
const FOREIGN = new Set(['IL', 'NL', 'GB', 'CH']);

/** Derives a simulated market's filings. Depends only on the market, the seed and the faults. */
export class MarketFilings {
  readonly #market: Market;
  readonly #seed: number;
  readonly #faults: ReadonlySet<FilingFault>;

  constructor(market: Market, seed: number, faults: ReadonlySet<FilingFault> = new Set()) {
    this.#market = market;
    this.#seed = seed;
    this.#faults = faults;
  }

  /** Returns the filings of a company's report in a calendar quarter. */
  ofReport(index: number, cycle: Cycle): ReportFilings {
    const report = this.#market.report(index, cycle);
    const { company, period } = report;
    const acceptedAt = this.#resultsAt(report);
    const isForeign = isForeignFiler(company);
    const fault = this.faultOf(index, cycle);
    const results: SimulatedFiling = {
      ...this.#filed(company, acceptedAt, sequenceOf(cycle, 1)),
      form: isForeign ? '6-K' : '8-K',
      items: isForeign ? [] : ['2.02', '9.01'],
      exhibits: [this.#exhibit(report, fault)],
    };
    const isAnnual = period.quarter === 4;
    const periodic: SimulatedFiling = {
      ...this.#filed(company, this.#periodicAt(report, acceptedAt), sequenceOf(cycle, 2)),
      form: isForeign ? (isAnnual ? '20-F' : '6-K') : isAnnual ? '10-K' : '10-Q',
      items: [],
      reportDate: period.end,
      exhibits: [],
    };
    return { results, periodic, amendment: this.#amendment(report, fault) };
  }

  /** Returns the fault of a report's filings; null for most of them. */
  faultOf(index: number, cycle: Cycle): FilingFault | null {
    const faults = [...this.#faults].toSorted();
    if (randomUnit(this.#seed, edgarDraws.fault, index, cycle) >= FAULT_SHARE) return null;
    return faults[randomInt(faults.length, this.#seed, edgarDraws.faultKind, index, cycle)] ?? null;
  }

  /** Returns the figures that a company files for a quarter. */
  figuresOf(index: number, cycle: Cycle): PeriodFigures {
    const { figures, period } = this.#market.report(index, cycle);
    const { epsCents, revenue } = figures;
    const isAdjusted = randomUnit(this.#seed, edgarDraws.adjusted, index) < ADJUSTED_SHARE;
    if (!isAdjusted) return { end: period.end, revenue, epsCents, adjustedCents: null };
    const share = 0.02 + 0.1 * randomUnit(this.#seed, edgarDraws.charge, index, cycle);
    const charge = 1 + Math.round(Math.abs(epsCents) * share);
    return { end: period.end, revenue, epsCents: epsCents - charge, adjustedCents: epsCents };
  }

  /** Returns the figures of the fiscal year up to and including a quarter. */
  yearToDate(index: number, cycle: Cycle): PeriodFigures {
    const { quarter } = this.#market.report(index, cycle).period;
    const quarters = Array.from({ length: quarter }, (_, back) =>
      this.figuresOf(index, cycle - back),
    );
    const sum = (value: (figures: PeriodFigures) => number): number =>
      quarters.reduce((total, figures) => total + value(figures), 0);
    const { adjustedCents } = this.figuresOf(index, cycle);
    return {
      end: quarters[0]?.end ?? this.figuresOf(index, cycle).end,
      revenue: sum(({ revenue }) => revenue),
      epsCents: sum(({ epsCents }) => epsCents),
      adjustedCents: adjustedCents === null ? null : sum((figures) => figures.adjustedCents ?? 0),
    };
  }

  /** Returns all filings that were accepted in these days, both inclusive. */
  between(from: LocalDate, to: LocalDate): SimulatedFiling[] {
    const [start, end] = [newYorkInstant(from, 0), newYorkInstant(addDays(to, 1), 0)];
    return this.#market.companies.flatMap(({ index }) =>
      // An annual report may follow the results into the next quarter.
      this.#ofCycles(index, cycleOf(from) - 1, cycleOf(to)).filter(
        ({ acceptedAt }) => acceptedAt >= start && acceptedAt < end,
      ),
    );
  }

  /** Returns a company's filings that were accepted in some quarters up to an instant. */
  ofCompany(index: number, from: Cycle, now: Instant): SimulatedFiling[] {
    return this.#ofCycles(index, from, cycleOf(newYorkDate(now))).filter(
      ({ acceptedAt }) => acceptedAt <= now,
    );
  }

  find(accession: string): SimulatedFiling | undefined {
    const company = this.companyOf(accession.slice(0, 10));
    if (company === undefined) return undefined;
    const cycle = 8000 + 4 * Number(accession.slice(11, 13));
    return this.#ofCycles(company.index, cycle - 1, cycle + 3).find(
      (filing) => filing.accession === accession,
    );
  }

  companyOf(cik: string): Company | undefined {
    const company = this.#market.companies[Number(cik.slice(2)) - 1];
    return company?.cik === cik ? company : undefined;
  }

  #ofCycles(index: number, from: Cycle, to: Cycle): SimulatedFiling[] {
    const cycles = Array.from({ length: to - from + 1 }, (_, n) => from + n);
    return cycles.flatMap((cycle) => {
      const { results, periodic, amendment } = this.ofReport(index, cycle);
      const news = this.#news(index, cycle);
      return [results, periodic, ...(amendment === null ? [] : [amendment]), news];
    });
  }

  #amendment(report: Report, fault: FilingFault | null): SimulatedFiling | null {
    if (fault !== 'amendment' || isForeignFiler(report.company)) return null;
    const day = this.#market.days.shift(report.date, 1);
    const acceptedAt = newYorkInstant(day, 11 * 60 + (report.company.index % 60));
    return {
      ...this.#filed(report.company, acceptedAt, sequenceOf(report.cycle, 3)),
      form: '8-K/A',
      items: ['2.02', '9.01'],
      exhibits: [this.#exhibit(report, null)],
    };
  }

  /** Returns a filing about something other than results. */
  #news(index: number, cycle: Cycle): SimulatedFiling {
    const company = this.#market.report(index, cycle).company;
    const days = this.#market.days.ofCycle(cycle);
    const day = days[randomInt(days.length, this.#seed, edgarDraws.news, index, cycle)];
    const minute = 9 * 60 + randomInt(480, this.#seed, edgarDraws.newsMinute, index, cycle);
    const isForeign = isForeignFiler(company);
    const acceptedAt = newYorkInstant(day ?? this.#market.report(index, cycle).date, minute);
    const body = `<html><body><p>${company.name} appoints a new member of its board.</p></body></html>`;
    return {
      ...this.#filed(company, acceptedAt, sequenceOf(cycle, 4)),
      form: isForeign ? '6-K' : '8-K',
      items: isForeign ? [] : ['5.02'],
      exhibits: [{ type: 'EX-99.1', filename: 'board.htm', body }],
    };
  }

  #filed({ cik, name }: Company, acceptedAt: Instant, sequence: number) {
    const day = newYorkDate(acceptedAt);
    const isEvening = newYorkTimeOfDayMs(acceptedAt) >= EVENING_MINUTE * MINUTE_MS;
    const year = String(yearOf(day) % 100).padStart(2, '0');
    return {
      accession: `${cik}-${year}-${String(sequence).padStart(6, '0')}`,
      cik,
      name,
      acceptedAt,
      filingDate: isEvening ? this.#market.days.shift(day, 1) : day,
      reportDate: day,
    };
  }

  #exhibit(report: Report, fault: FilingFault | null) {
    const { company, cycle } = report;
    const layout = randomInt(LAYOUT_COUNT, this.#seed, edgarDraws.layout, company.index);
    const content = (): ReleaseContent => this.#contentOf(report, fault);
    let text: string | undefined;
    const mistake = fault === 'wrong-scale' || fault === 'contradiction' ? fault : null;
    return {
      type: 'EX-99.1',
      filename: `ex991-${cycle}.htm`,
      get body() {
        return (text ??= writeRelease(content(), { layout, fault: mistake }));
      },
    };
  }

  #contentOf({ company, cycle, period }: Report, fault: FilingFault | null): ReleaseContent {
    const { companies } = this.#market;
    const other = companies[(company.index + 1) % companies.length] ?? company;
    const { name, symbol, exchange } = fault === 'other-company' ? other : company;
    const at = (toDate: boolean, of: Cycle): PeriodFigures =>
      toDate ? this.yearToDate(company.index, of) : this.figuresOf(company.index, of);
    return {
      name,
      symbol,
      exchange,
      fiscalYear: period.year,
      quarter: period.quarter,
      isInWeeks: company.endsOnSaturday,
      current: at(false, cycle),
      yearAgo: at(false, cycle - 4),
      toDate:
        period.quarter === 1 ? null : { current: at(true, cycle), yearAgo: at(true, cycle - 4) },
    };
  }

  #resultsAt({ company, cycle, releaseAt }: Report): Instant {
    const { min, max } = LEAD_SECONDS;
    const lead = min + randomInt(max - min, this.#seed, edgarDraws.lead, company.index, cycle);
    return this.#whenOpen(releaseAt - lead * SECOND_MS);
  }

  #periodicAt({ company, cycle, date, period }: Report, resultsAt: Instant): Instant {
    const draw = (below: number, kind: number): number =>
      randomInt(below, this.#seed, kind, company.index, cycle);
    const extra = period.quarter === 4 ? ANNUAL_EXTRA_DAYS : 0;
    const days = (PERIODIC_DAYS[draw(PERIODIC_DAYS.length, edgarDraws.periodic)] ?? 0) + extra;
    const minutes = 5 + draw(40, edgarDraws.periodicMinute);
    if (days === 0) return this.#whenOpen(resultsAt + minutes * MINUTE_MS);
    return newYorkInstant(this.#market.days.shift(date, days), 16 * 60 + minutes);
  }

  /** Returns the instant itself, or the next one at which EDGAR accepts filings. */
  #whenOpen(at: Instant): Instant {
    const day = newYorkDate(at);
    const minute = newYorkTimeOfDayMs(at) / MINUTE_MS;
    const delay = Math.floor(minute * 7) % 600;
    if (minute < OPENS_MINUTE) return newYorkInstant(day, OPENS_MINUTE) + delay * SECOND_MS;
    if (minute < CLOSES_MINUTE) return at;
    return newYorkInstant(this.#market.days.shift(day, 1), OPENS_MINUTE) + delay * SECOND_MS;
  }
}

export function isForeignFiler({ countryCode }: Company): boolean {
  return FOREIGN.has(countryCode);
}

/** Returns a number that no other filing of the company has in that year. */
function sequenceOf(cycle: Cycle, kind: number): number {
  return ((cycle % 8) + 1) * 10 + kind;
}
