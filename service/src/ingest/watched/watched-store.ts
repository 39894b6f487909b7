import type {
  EarningsObservation,
  FilingObservation,
} from '../../datasets/earnings/observation.ts';
import { loadEarningsOfSecurities } from '../../datasets/earnings/store.ts';
import { loadSecuritiesBySymbol } from '../../datasets/securities/store.ts';
import { filerKey } from '../../datasets/source-records/entity-keys.ts';
import { loadHistories } from '../../datasets/source-records/load.ts';
import { latest } from '../../datasets/source-records/observation-history.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { compareText } from '../../platform/compare.ts';
import type { Queryable } from '../../storage/db.ts';
import type { CompanySummary } from './watch-progress.ts';

/** Facts about the watched companies in the store. */
export interface WatchedStore {
  /** Returns a filer's filings since a day, newest first. */
  loadFilings(cik: string, since: LocalDate): Promise<FilingObservation[]>;
  summarize(symbol: string, today: LocalDate): Promise<CompanySummary>;
}

export function watchedStore(db: Queryable): WatchedStore {
  return {
    loadFilings: (cik, since) => loadFilings(db, cik, since),
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
