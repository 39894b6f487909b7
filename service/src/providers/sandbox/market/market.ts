import { newYorkDate } from '../../../domain/new-york.ts';
import type { Instant } from '../../../platform/instant.ts';
import { type Company, makeCompany } from './company.ts';
import { fiscalYearEnd } from './fiscal-period.ts';
import { COMPANIES_MAX } from './names.ts';
import { makeReport, type Report } from './report.ts';
import { type Slot, slotOf } from './report-schedule.ts';
import { type View, type ViewContext, viewReport } from './report-view.ts';
import { revisions } from './revisions.ts';
import {
  type Cycle,
  cycleOf,
  type IsTradingDay,
  tradingDays,
  type TradingDays,
} from './trading-days.ts';

export interface MarketOptions {
  seed: number;
  /**
   * Number of companies, from 20 to `COMPANIES_MAX`. With about 540 or more, every trading day has
   * reports.
   */
  companies: number;
  isTradingDay: IsTradingDay;
}

const QUARTERS_AHEAD = 4;
/** The report cache is cleared when it reaches this size. */
const REPORTS_CACHED_MAX = 60_000;

/** A simulated market, determined entirely by the options and the requested instant. */
export class Market {
  readonly companies: readonly Company[];
  readonly days: TradingDays;
  readonly #seed: number;
  readonly #slots: readonly Slot[];
  readonly #viewContext: ViewContext;
  readonly #reports = new Map<number, Report>();

  constructor(options: MarketOptions) {
    const { seed } = options;
    const count = checkCount(options.companies);
    this.#seed = seed;
    this.companies = Array.from({ length: count }, (_, index) => makeCompany(seed, index));
    this.#slots = this.companies.map((company) => slotOf(company.index, count));
    this.days = tradingDays(options.isTradingDay);
    this.#viewContext = { seed, days: this.days, revisions: revisions(seed, count) };
  }

  report(index: number, cycle: Cycle): Report {
    const key = cycle * COMPANIES_MAX + index;
    let report = this.#reports.get(key);
    if (report === undefined) {
      if (this.#reports.size >= REPORTS_CACHED_MAX) this.#reports.clear();
      const [company, slot] = this.#companyAt(index);
      report = makeReport(this.#seed, company, slot, cycle, this.days);
      this.#reports.set(key, report);
    }
    return report;
  }

  /** Returns a report as visible at `at`. */
  view(index: number, cycle: Cycle, at: Instant): View {
    const ahead = cycle - this.#nextCycle(index, at);
    const next = ahead <= 0 || (ahead === 1 && this.report(index, cycle - 1).freezeAt <= at);
    return viewReport(this.#viewContext, this.report(index, cycle), at, { ahead, next });
  }

  /** Returns the company's next four reports after `at`. */
  upcoming(index: number, at: Instant): View[] {
    const first = this.#nextCycle(index, at);
    return Array.from({ length: QUARTERS_AHEAD }, (_, i) => this.view(index, first + i, at));
  }

  /**
   * Returns the reports that changed after `from` and up to `to`, as visible at `to`, ordered by
   * company and date.
   */
  changed(from: Instant, to: Instant): View[] {
    const revised = this.#viewContext.revisions.between(from, to);
    return this.companies.flatMap(({ index }) => {
      const first = this.#nextCycle(index, from);
      const last = this.#nextCycle(index, to) + QUARTERS_AHEAD - 1;
      const cycles = Array.from({ length: last - first + 1 }, (_, i) => first + i);
      if (!revised.has(index) && !this.#hasTransition(index, cycles, from, to)) return [];
      return cycles.flatMap((cycle) => {
        const current = this.view(index, cycle, to);
        const isNew = cycle >= first + QUARTERS_AHEAD;
        return isNew || differs(this.view(index, cycle, from), current) ? [current] : [];
      });
    });
  }

  /**
   * Returns the reports released after `from` and up to `to`, for one company or all companies,
   * ordered by company and date.
   */
  released(from: Instant, to: Instant, index?: number): Report[] {
    const companies = index === undefined ? this.companies : [{ index }];
    return companies.flatMap((company) => {
      const first = this.#nextCycle(company.index, from);
      const count = Math.max(0, this.#nextCycle(company.index, to) - first);
      return Array.from({ length: count }, (_, i) => this.report(company.index, first + i));
    });
  }

  /** Returns the `MM-DD` of the company's last fiscal year-end. */
  fiscalYearEnd(index: number, at: Instant): string {
    const [company, slot] = this.#companyAt(index);
    return fiscalYearEnd(this.#seed, company, slot, cycleOf(newYorkDate(at)));
  }

  /** Returns the first quarter whose report is not yet released. */
  #nextCycle(index: number, at: Instant): Cycle {
    const cycle = cycleOf(newYorkDate(at));
    return this.report(index, cycle).releaseAt > at ? cycle : cycle + 1;
  }

  #hasTransition(index: number, cycles: readonly Cycle[], from: Instant, to: Instant): boolean {
    return cycles.some((cycle) => {
      const { freezeAt, redateAt, confirmAt, rescheduleAt, releaseAt } = this.report(index, cycle);
      const instants = [freezeAt, redateAt, confirmAt, rescheduleAt ?? releaseAt, releaseAt];
      return instants.some((at) => at > from && at <= to);
    });
  }

  #companyAt(index: number): [Company, Slot] {
    const company = this.companies[index];
    const slot = this.#slots[index];
    if (company === undefined || slot === undefined) throw new RangeError(`no company ${index}`);
    return [company, slot];
  }
}

function differs(previous: View, current: View): boolean {
  return (
    previous.date !== current.date ||
    previous.session !== current.session ||
    previous.status !== current.status ||
    previous.estimate?.epsCents !== current.estimate?.epsCents ||
    previous.estimate?.revenue !== current.estimate?.revenue ||
    previous.estimate?.analysts !== current.estimate?.analysts
  );
}

function checkCount(companies: number): number {
  if (Number.isInteger(companies) && companies >= 20 && companies <= COMPANIES_MAX)
    return companies;
  throw new RangeError(`a sandbox has 20 to ${COMPANIES_MAX} companies, not ${companies}`);
}
