import { addDays, type LocalDate } from '../../../domain/local-date.ts';
import { newYorkDate } from '../../../domain/new-york.ts';
import type { Instant } from '../../../platform/instant.ts';
import { Market, type MarketOptions } from '../market/market.ts';
import {
  companyFactsPage,
  companyTickers,
  companyTickersExchange,
  submissionsPage,
} from './company-pages.ts';
import { type EdgarFaultName, feedFaultsAt, filingFaults } from './faults.ts';
import type { SimulatedFiling } from './filing.ts';
import { MarketFilings } from './market-filings.ts';
import { type EdgarContents, type EdgarReply, filedOn, serveEdgar } from './serve-edgar.ts';

export interface SimulatedEdgarOptions extends MarketOptions {
  faults?: ReadonlySet<EdgarFaultName>;
}

/**
 * EDGAR with the filings of a simulated market. It has no state: the same request at the same instant
 * gets the same response.
 */
export interface SimulatedEdgar {
  market: Market;
  filings: MarketFilings;
  respond(url: URL, now: Instant): EdgarReply;
}

/** Days that the feed reaches back. */
const FEED_DAYS = 3;

export function createSimulatedEdgar(options: SimulatedEdgarOptions): SimulatedEdgar {
  const { seed, faults = new Set<EdgarFaultName>() } = options;
  const market = new Market(options);
  const filings = new MarketFilings(market, seed, filingFaults(faults));
  const sources = { market, filings };
  let cached: { day: LocalDate; filings: readonly SimulatedFiling[] } | undefined;

  function current(now: Instant): readonly SimulatedFiling[] {
    const day = newYorkDate(now);
    if (cached?.day !== day) {
      cached = { day, filings: filings.between(addDays(day, -FEED_DAYS), day) };
    }
    return cached.filings;
  }

  const contents: EdgarContents = {
    current,
    // A filing of the evening has the date of the next business day, which may follow a weekend.
    filedOn: (day) => filedOn(filings.between(addDays(day, -4), day), day),
    find: (accession) => filings.find(accession),
    page({ pathname }, now) {
      if (pathname === '/files/company_tickers.json') return companyTickers(market);
      if (pathname === '/files/company_tickers_exchange.json') {
        return companyTickersExchange(market);
      }
      const [, kind, cik = ''] =
        /^\/(submissions|api\/xbrl\/companyfacts)\/CIK(\d{10})\.json$/.exec(pathname) ?? [];
      const company = filings.companyOf(cik);
      if (company === undefined) return null;
      const write = kind === 'submissions' ? submissionsPage : companyFactsPage;
      return write(sources, company, now);
    },
  };

  return {
    market,
    filings,
    respond(url, now) {
      const feed = { ...feedFaultsAt(faults, seed, now), isHidden: () => false };
      return serveEdgar(contents, url, { now, faults: feed });
    },
  };
}
