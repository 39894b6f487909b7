import { addDays } from '../../../domain/local-date.ts';
import { newYorkDate } from '../../../domain/new-york.ts';
import { formatInstant, type Instant } from '../../../platform/instant.ts';
import type { Company } from '../market/company.ts';
import type { Market } from '../market/market.ts';
import { type Cycle, cycleOf } from '../market/trading-days.ts';
import { filingDateOf, reportDateOf, sizeOf } from './edgar-pages.ts';
import { isForeignFiler, type MarketFilings } from './market-filings.ts';
import type { PeriodFigures } from './release-layouts.ts';

/** Quarters back that a company's pages cover. */
const QUARTERS_BACK = 20;

/** Lists every company with its symbol, as in `company_tickers.json`. */
export function companyTickers({ companies }: Market): object {
  return Object.fromEntries(
    companies.map(({ cik, symbol, name }, index) => [
      index,
      { cik_str: Number(cik), ticker: symbol, title: name },
    ]),
  );
}

/** Lists every company with its exchange, as in `company_tickers_exchange.json`. */
export function companyTickersExchange({ companies }: Market): object {
  const data = companies.map(({ cik, name, symbol, exchange }) => {
    return [Number(cik), name, symbol, exchange];
  });
  return { fields: ['cik', 'name', 'ticker', 'exchange'], data };
}

/** Returns a company's page with its filings up to an instant, newest first. */
export function submissionsPage(
  { market, filings }: { market: Market; filings: MarketFilings },
  company: Company,
  now: Instant,
): object {
  const first = cycleOf(newYorkDate(now)) - QUARTERS_BACK;
  const recent = filings
    .ofCompany(company.index, first, now)
    .toSorted((a, b) => b.acceptedAt - a.acceptedAt);
  return {
    cik: company.cik,
    entityType: 'operating',
    sic: company.industry.sicCode,
    sicDescription: company.industry.industry,
    name: company.name,
    tickers: [company.symbol],
    exchanges: [company.exchange],
    fiscalYearEnd: market.fiscalYearEnd(company.index, now).replace('-', ''),
    addresses: {},
    formerNames: [],
    filings: {
      recent: {
        accessionNumber: recent.map(({ accession }) => accession),
        filingDate: recent.map(filingDateOf),
        reportDate: recent.map(reportDateOf),
        acceptanceDateTime: recent.map(({ acceptedAt }) =>
          formatInstant(acceptedAt).replace('Z', '.000Z'),
        ),
        form: recent.map(({ form }) => form),
        size: recent.map(sizeOf),
        items: recent.map(({ items }) => items.join(',')),
      },
      files: [],
    },
  };
}

interface FactContext {
  accn: string;
  fy: number;
  fp: string;
  form: string;
  filed: string;
}

/** Returns the XBRL facts in a company's quarterly and annual reports up to an instant. */
export function companyFactsPage(
  sources: { market: Market; filings: MarketFilings },
  company: Company,
  now: Instant,
): object {
  const last = cycleOf(newYorkDate(now));
  const revenue: object[] = [];
  const eps: object[] = [];
  for (let cycle = last - QUARTERS_BACK; cycle <= last; cycle++) {
    const { periodic } = sources.filings.ofReport(company.index, cycle);
    const isXbrl = periodic.form.startsWith('10-') || periodic.form === '20-F';
    if (periodic.acceptedAt > now || !isXbrl) continue;
    for (const { start, figures, ...context } of factsOf(sources, company, cycle)) {
      const period = { start, end: figures.end };
      revenue.push({ ...period, val: figures.revenue, ...context });
      eps.push({ ...period, val: figures.epsCents / 100, ...context });
    }
  }
  const concept = (label: string, unit: string, values: object[]): object => {
    return { label, description: label, units: { [unit]: values } };
  };
  return {
    cik: Number(company.cik),
    entityName: company.name,
    facts: {
      'us-gaap': {
        Revenues: concept('Revenues', 'USD', revenue),
        EarningsPerShareDiluted: concept('Earnings per share, diluted', 'USD/shares', eps),
      },
    },
  };
}

/** Returns the periods in one report: the quarter and the year to date, each with the year before. */
function factsOf(
  { market, filings }: { market: Market; filings: MarketFilings },
  company: Company,
  cycle: Cycle,
): ({ start: string; figures: PeriodFigures } & FactContext)[] {
  const { index } = company;
  const { period } = market.report(index, cycle);
  const { periodic } = filings.ofReport(index, cycle);
  const { quarter } = period;
  const context: FactContext = {
    accn: periodic.accession,
    fy: period.year,
    fp: quarter === 4 ? 'FY' : `Q${quarter}`,
    form: periodic.form,
    filed: filingDateOf(periodic),
  };
  const startOf = (of: Cycle, quarters: number): string =>
    addDays(filings.figuresOf(index, of - quarters).end, 1);
  return [cycle, cycle - 4].flatMap((of) => {
    const whole = {
      start: startOf(of, quarter),
      figures: filings.yearToDate(index, of),
      ...context,
    };
    // An annual report has no column of its last quarter, and a foreign one no quarters at all.
    if (quarter === 4 || isForeignFiler(company)) return [whole];
    const part = { start: startOf(of, 1), figures: filings.figuresOf(index, of), ...context };
    return quarter === 1 ? [part] : [part, whole];
  });
}
