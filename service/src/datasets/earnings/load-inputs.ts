import type { LocalDate } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { newYorkDate, newYorkInstant } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { loadFiscalYearEnds } from '../profiles/fiscal-year-ends.ts';
import { type HolderAt, loadHolders } from '../securities/holders.ts';
import { publicIdentity } from '../securities/public-identity.ts';
import { earlierIdsOf, filersOf, type Security } from '../securities/row.ts';
import { loadSecuritiesByCik } from '../securities/store.ts';
import { filerKey } from '../source-records/entity-keys.ts';
import { loadWithdrawals } from '../source-records/listed-days.ts';
import { loadHistories } from '../source-records/load.ts';
import {
  latest,
  type ObservationHistory,
  recordIds,
} from '../source-records/observation-history.ts';
import type { DatedSplit } from '../splits/current-splits.ts';
import { loadSourcedSplits } from '../splits/store.ts';
import { combineSplits } from './combine-splits.ts';
import type { EarningsObservation } from './observation.ts';
import type { EarningsInput, KnownSplit } from './report-candidate.ts';
import { publicEarnings } from './public-view.ts';
import { filedSplits } from './share-basis.ts';
import { shareReports } from './share-classes.ts';
import { mayBeWithdrawn } from './withdrawn-rows.ts';

type Histories = readonly ObservationHistory<EarningsObservation>[];

/** A security with all observations of its reports. */
export interface Company {
  security: Security;
  histories: Histories;
  /** Rows about the security's symbol that name another company. */
  foreign: Histories;
  /** Records under the company's other share classes. */
  sharedRecordIds: ReadonlySet<number>;
  filedSplits: KnownSplit[];
}

export interface LoadedCompanies {
  companies: Company[];
  /** Histories by entity key, also those of `ciks`. */
  byEntityKey: ReadonlyMap<string, Histories>;
  /** All histories, also those of which nothing was public at the instant. */
  stored: Histories;
}

/**
 * Loads the observations of the securities' reports, including those under their other share
 * classes and under their filers: all of them, or what was public at an instant.
 */
export async function loadCompanies(
  db: Queryable,
  securities: readonly Security[],
  { ciks = [], publicAt = null }: { ciks?: readonly string[]; publicAt?: Instant | null } = {},
): Promise<LoadedCompanies> {
  const classes = (await loadSecuritiesByCik(db, securities.flatMap(filersOf))).filter(
    ({ reports }) => reports,
  );
  const all = [...new Map([...classes, ...securities].map((each) => [each.id, each])).values()];
  const entityKeys = [
    ...all.flatMap(({ symbols }) => symbols.map(({ symbol }) => symbol)),
    ...[...all.flatMap(filersOf), ...ciks].map(filerKey),
  ];
  const stored = await loadHistories<EarningsObservation>(db, 'earnings', entityKeys);
  const histories = publicAt === null ? stored : publicEarnings(stored, publicAt);
  const byEntityKey = Map.groupBy(histories, ({ entityKey }) => entityKey);
  const holderOf = await loadHolders(db, all);
  const bySymbol = new Map(
    all.map((security) => [security.id, historiesBySymbol(security, byEntityKey, holderOf)]),
  );
  const companies = securities.map((security): Company => {
    const { own = [], foreign = [] } = bySymbol.get(security.id) ?? {};
    const filers = security.reports ? filersOf(security) : [];
    const filed = filers.flatMap((cik) => byEntityKey.get(filerKey(cik)) ?? []);
    const others = classes
      .filter(({ id, cik }) => id !== security.id && cik !== null && cik === filers[0])
      .map(({ id }) => bySymbol.get(id)?.own ?? []);
    return {
      security,
      histories: shareReports({ own, filed, others }),
      foreign,
      sharedRecordIds: new Set(others.flat().flatMap((history) => [...recordIds(history)])),
      filedSplits: filedSplits([...own, ...filed]),
    };
  });
  return { companies, byEntityKey, stored };
}

/** Returns a security's histories for its symbols, and those that name another company. */
function historiesBySymbol(
  security: Security,
  byEntityKey: ReadonlyMap<string, Histories>,
  holderOf: HolderAt,
): Record<'own' | 'foreign', ObservationHistory<EarningsObservation>[]> {
  const own: ObservationHistory<EarningsObservation>[] = [];
  const foreign: ObservationHistory<EarningsObservation>[] = [];
  for (const { symbol } of security.symbols) {
    for (const history of byEntityKey.get(symbol) ?? []) {
      const { fields } = latest(history);
      const day = dayOf(fields);
      const company = fields.kind === 'calendar' ? fields.name : null;
      const holder = day === null ? security.id : holderOf(symbol, day, company);
      if (holder === security.id) own.push(history);
      else if (holder === null && day !== null && holderOf(symbol, day) === security.id) {
        foreign.push(history);
      }
    }
  }
  return { own, foreign };
}

/** Returns the date that resolves a reused ticker; null for observations keyed by CIK. */
function dayOf(fields: EarningsObservation): LocalDate | null {
  if (fields.kind === 'calendar') return fields.date;
  if (fields.kind === 'call') return newYorkDate(fields.callAt);
  return fields.kind === 'figures' ? fields.fiscalPeriodEnd : null;
}

/**
 * Loads everything else from which the companies' reports are derived. `publicAt` must be the
 * instant for which the companies were loaded.
 */
export async function loadInputs(
  db: Queryable,
  companies: readonly Company[],
  { today, market, publicAt = null }: InputsQuery,
): Promise<{ input: EarningsInput; company: Company }[]> {
  const securities = companies.map(({ security }) => security);
  const yearEnds = await loadFiscalYearEnds(db, securities.flatMap(filersOf), publicAt);
  const ids = securities.map(({ id }) => id);
  const datedSplits = await loadSourcedSplits(db, ids);
  const withdrawable = companies.flatMap(({ histories }) => histories).filter(mayBeWithdrawn);
  const distinct = [...new Set(withdrawable)];
  const withdrawals = await loadWithdrawals(db, 'earnings', distinct, publicAt);
  return companies.map((company) => {
    const { histories } = company;
    const security = publicAt === null ? company.security : publicIdentity(company.security, today);
    const dated = datedSplits.get(security.id) ?? [];
    const splits = publicAt === null ? dated : dated.map(sinceEffective);
    const input: EarningsInput = {
      securityId: security.id,
      earlierIds: earlierIdsOf(security),
      symbol: security.symbol,
      securityName: security.name,
      renamedAt: security.symbols.length > 1 ? security.listedAt : null,
      fiscalYearEnd: firstOf(filersOf(security).map((cik) => yearEnds.get(cik))),
      splits: combineSplits(company.filedSplits, splits, today),
      histories,
      withdrawals,
      market,
      today,
    };
    return { input, company };
  });
}

export interface InputsQuery {
  /** The New York day at the instant. */
  today: LocalDate;
  market: MarketCalendar;
  publicAt?: Instant | null;
}

/**
 * Returns a split with the time at which it was public: at the latest its first day, when the stock
 * trades on the new basis.
 */
function sinceEffective(split: DatedSplit): DatedSplit {
  return { ...split, seenAt: Math.min(split.seenAt, newYorkInstant(split.date, 0)) };
}

function firstOf<Value>(values: readonly (Value | undefined)[]): Value | null {
  return values.find((value) => value !== undefined) ?? null;
}
