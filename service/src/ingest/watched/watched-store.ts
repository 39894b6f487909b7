import type {
  EarningsObservation,
  FilingObservation,
} from '../../datasets/earnings/observation.ts';
import { loadEarningsOfSecurities } from '../../datasets/earnings/store.ts';
import { loadSecuritiesBySymbol } from '../../datasets/securities/store.ts';
import { loadResponseOfUrl } from '../../datasets/responses/load-response.ts';
import { filerKey } from '../../datasets/source-records/entity-keys.ts';
import { loadHistories } from '../../datasets/source-records/load.ts';
import { latest } from '../../datasets/source-records/observation-history.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { compareText } from '../../platform/compare.ts';
import type { SourceResponse } from '../../providers/provider.ts';
import { createSourceResponse } from '../../providers/source-response.ts';
import type { Queryable } from '../../storage/db.ts';
import type { CompanySummary } from './watch-progress.ts';

export interface ArchivedPage {
  provider: string;
  feed: string;
  /** As stored, without secrets. */
  url: string;
}

/** Facts about the watched companies in the store. */
export interface WatchedStore {
  /** Returns a filer's filings since a day, newest first. */
  loadFilings(cik: string, since: LocalDate): Promise<FilingObservation[]>;
  /** Returns the archived response to a stored URL, or null if it was not ingested. */
  loadPage(page: ArchivedPage): Promise<SourceResponse | null>;
  summarize(symbol: string, today: LocalDate): Promise<CompanySummary>;
}

export function watchedStore(db: Queryable): WatchedStore {
  return {
    loadFilings: (cik, since) => loadFilings(db, cik, since),
    loadPage: async (page) => {
      const response = await loadResponseOfUrl(db, page);
      return response && createSourceResponse(response);
    },
    summarize: (symbol, today) => summarize(db, symbol, today),
  };
}

async function loadFilings(
  db: Queryable,
  cik: string,
  since: LocalDate,
): Promise<FilingObservation[]> {
  const histories = await loadHistories<EarningsObservation>(db, 'earnings', [filerKey(cik)]);
  const filings = histories.flatMap((history) => {
    const { fields } = latest(history);
    return fields.kind === 'filing' && fields.filingDate >= since ? [fields] : [];
  });
  const newestFirst = filings.toSorted(
    (a, b) => compareText(b.filingDate, a.filingDate) || compareText(b.accession, a.accession),
  );
  return [...new Map(newestFirst.map((filing) => [filing.accession, filing])).values()];
}

async function summarize(db: Queryable, symbol: string, today: LocalDate): Promise<CompanySummary> {
  const holders = (await loadSecuritiesBySymbol(db, [symbol])).filter(
    (security) => security.symbol === symbol,
  );
  const events = await loadEarningsOfSecurities(
    db,
    holders.map(({ id }) => id),
  );
  const ahead = events
    .filter(({ date, dateStatus }) => date >= today && dateStatus !== 'reported')
    .toSorted((a, b) => compareText(a.date, b.date));
  const [next = null] = ahead;
  return {
    reports: events.length - ahead.length,
    next: next && { date: next.date, dateStatus: next.dateStatus },
  };
}
