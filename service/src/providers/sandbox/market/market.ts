import { newYorkDate } from '../../../domain/new-york.ts';
import type { Instant } from '../../../platform/instant.ts';
import { type Company, makeCompany } from './company.ts';
import { fiscalYearEnd } from './fiscal.ts';
import { COMPANIES_MAX } from './names.ts';
import { makeReport, type Report } from './report.ts';
import { revisions } from './revisions.ts';
import { slotOf } from './report-schedule.ts';
import {
  type Cycle,
  cycleOf,
  type IsTradingDay,
  tradingDays,
  type TradingDays,
} from './trading-days.ts';
import { type View, viewReport } from './report-view.ts';

export interface MarketOptions {
  seed: number;
  /** How many companies, 20 to `COMPANIES_MAX`; every trading day has reports from about 540 on. */
  companies: number;
  isTradingDay: IsTradingDay;
}

/** A simulated market: all it tells is a function of its options and the moment asked for. */
export interface Market {
  companies: readonly Company[];
  days: TradingDays;
  report(index: number, cycle: Cycle): Report;
  /** A report as the world sees it at `at`. */
  view(index: number, cycle: Cycle, at: Instant): View;
  /** The reports of a company that are to come at `at`: the next four quarters. */
  upcoming(index: number, at: Instant): View[];
  /** What became different after `from` and up to `to`, as seen at `to`, by company and date. */
  changed(from: Instant, to: Instant): View[];
  /** The reports released after `from` and up to `to`, of all companies or one, by date. */
  released(from: Instant, to: Instant, index?: number): Report[];
  /** `MM-DD` of the company's last fiscal year end. */
  fiscalYearEnd(index: number, at: Instant): string;
}

const QUARTERS_AHEAD = 4;
/** Made again when they are needed after so many others. */
const REPORTS_KEPT_MAX = 60_000;

export function createMarket(options: MarketOptions): Market {
  const { seed } = options;
  const count = checkCount(options.companies);
  const companies = Array.from({ length: count }, (_, index) => makeCompany(seed, index));
  const slots = companies.map((company) => slotOf(company.index, count));
  const days = tradingDays(options.isTradingDay);
  const viewing = { seed, days, revisions: revisions(seed, count) };
  const reports = new Map<number, Report>();

  function report(index: number, cycle: Cycle): Report {
    const key = cycle * COMPANIES_MAX + index;
    let found = reports.get(key);
    if (found === undefined) {
      if (reports.size >= REPORTS_KEPT_MAX) reports.clear();
      found = makeReport(seed, at(companies, index), at(slots, index), cycle, days);
      reports.set(key, found);
    }
    return found;
  }

  /** The first quarter whose report is still to come. */
  function nextCycle(index: number, moment: Instant): Cycle {
    const cycle = cycleOf(newYorkDate(moment));
    return report(index, cycle).releaseAt > moment ? cycle : cycle + 1;
  }

  function view(index: number, cycle: Cycle, moment: Instant): View {
    const ahead = cycle - nextCycle(index, moment);
    const next = ahead <= 0 || (ahead === 1 && report(index, cycle - 1).freezeAt <= moment);
    return viewReport(viewing, report(index, cycle), moment, { ahead, next });
  }

  function upcoming(index: number, moment: Instant): View[] {
    const first = nextCycle(index, moment);
    return Array.from({ length: QUARTERS_AHEAD }, (_, i) => view(index, first + i, moment));
  }

  function changed(from: Instant, to: Instant): View[] {
    const revised = viewing.revisions.between(from, to);
    const views: View[] = [];
    for (let index = 0; index < count; index++) {
      const first = nextCycle(index, from);
      const last = nextCycle(index, to) + QUARTERS_AHEAD - 1;
      if (!revised.has(index) && !turnsBetween(index, first, last, from, to)) continue;
      for (let cycle = first; cycle <= last; cycle++) {
        const now = view(index, cycle, to);
        const isNew = cycle >= first + QUARTERS_AHEAD;
        if (isNew || differs(view(index, cycle, from), now)) views.push(now);
      }
    }
    return views;
  }

  function turnsBetween(
    index: number,
    first: Cycle,
    last: Cycle,
    from: Instant,
    to: Instant,
  ): boolean {
    for (let cycle = first; cycle <= last; cycle++) {
      const { freezeAt, redateAt, confirmAt, rescheduleAt, releaseAt } = report(index, cycle);
      const turns = [freezeAt, redateAt, confirmAt, rescheduleAt ?? releaseAt, releaseAt];
      if (turns.some((turn) => turn > from && turn <= to)) return true;
    }
    return false;
  }

  function released(from: Instant, to: Instant, only?: number): Report[] {
    const found: Report[] = [];
    for (let index = only ?? 0; index < (only === undefined ? count : only + 1); index++) {
      const end = nextCycle(index, to);
      for (let cycle = nextCycle(index, from); cycle < end; cycle++) {
        found.push(report(index, cycle));
      }
    }
    return found;
  }

  return {
    companies,
    days,
    report,
    view,
    upcoming,
    changed,
    released,
    fiscalYearEnd: (index, moment) =>
      fiscalYearEnd(seed, at(companies, index), at(slots, index), cycleOf(newYorkDate(moment))),
  };
}

function differs(before: View, after: View): boolean {
  return (
    before.date !== after.date ||
    before.session !== after.session ||
    before.status !== after.status ||
    before.estimate?.epsCents !== after.estimate?.epsCents ||
    before.estimate?.revenue !== after.estimate?.revenue ||
    before.estimate?.analysts !== after.estimate?.analysts
  );
}

function checkCount(companies: number): number {
  if (Number.isInteger(companies) && companies >= 20 && companies <= COMPANIES_MAX)
    return companies;
  throw new RangeError(`a sandbox has 20 to ${COMPANIES_MAX} companies, not ${companies}`);
}

function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new RangeError(`no company ${index}`);
  return found;
}
