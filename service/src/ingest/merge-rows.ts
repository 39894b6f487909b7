import type { MarketCalendar } from '../domain/market/calendar.ts';
import { joinMerges } from '../datasets/dataset.ts';
import type { MergeContext, MergeResult } from '../datasets/dataset.ts';
import { mergeEarnings } from '../datasets/earnings/merge.ts';
import { mergeProfiles } from '../datasets/profiles/merge.ts';
import { mergeSecurities } from '../datasets/securities/merge.ts';
import type { Security } from '../datasets/securities/row.ts';
import {
  loadSecuritiesByCik,
  loadSecuritiesBySymbol,
  unknownSymbols,
} from '../datasets/securities/store.ts';
import type { RecordedRow } from '../datasets/source-records/record-rows.ts';
import { filerOf, filerSubject, subjectsWithRecords } from '../datasets/source-records/subjects.ts';

/**
 * Derives anew what the stored rows touch, in the order in which data sets build on each other:
 * who is who, then profiles, then earnings.
 */
export async function mergeRows(
  context: MergeContext,
  rows: readonly RecordedRow[],
  market: MarketCalendar,
): Promise<MergeResult> {
  const { tx } = context;
  const listed = subjectsOf(rows, 'securities');
  // Who repeats what was said last speaks of a symbol that is known since then.
  const news = rows.filter(({ mattersToOrder }) => mattersToOrder);
  const spoken = [...subjectsOf(news, 'earnings'), ...subjectsOf(news, 'profiles')];
  const unknown = await unknownSymbols(tx, spoken.filter(isSymbol));
  const listing = await mergeSecurities(context, [...listed, ...unknown]);
  const affected = [...listing.affectedSymbols, ...[...listing.affectedCiks].map(filerSubject)];

  const profiled = news.filter(({ row }) => row.dataset === 'profiles');
  const profileSubjects = [...profiled.map(({ row }) => row.subject), ...affected];
  const profileOwners = await withShareClasses(context, await ownersOf(context, profileSubjects));
  const profiles = await mergeProfiles(context, profileOwners, [...listing.goneIds]);

  const filersProfiled = profiled.map(({ row }) => row.subject).filter((s) => !isSymbol(s));
  const earningsSubjects = [
    ...subjectsOf(rows, 'earnings'),
    ...(await subjectsWithRecords(tx, 'earnings', [...affected, ...filersProfiled])),
  ];
  const earnings = await mergeEarnings(context, {
    securities: await ownersOf(context, earningsSubjects),
    ciks: [...new Set(earningsSubjects.flatMap((subject) => filerOf(subject) ?? []))],
    goneIds: [...listing.goneIds],
    market,
  });
  return joinMerges([listing, profiles, earnings]);
}

/** Securities that the subjects (symbols and filers) are about. */
async function ownersOf({ tx }: MergeContext, subjects: readonly string[]): Promise<Security[]> {
  const bySymbol = await loadSecuritiesBySymbol(tx, subjects.filter(isSymbol));
  const byFiler = await loadSecuritiesByCik(
    tx,
    subjects.flatMap((s) => filerOf(s) ?? []),
  );
  return distinct([...bySymbol, ...byFiler]);
}

async function withShareClasses(
  { tx }: MergeContext,
  securities: readonly Security[],
): Promise<Security[]> {
  const filers = new Set(securities.flatMap(({ cik }) => (cik === null ? [] : [cik])));
  return distinct([...securities, ...(await loadSecuritiesByCik(tx, filers))]);
}

function subjectsOf(rows: readonly RecordedRow[], dataset: string): string[] {
  return [...new Set(rows.flatMap(({ row }) => (row.dataset === dataset ? [row.subject] : [])))];
}

function isSymbol(subject: string): boolean {
  return filerOf(subject) === null;
}

function distinct(securities: readonly Security[]): Security[] {
  return [...new Map(securities.map((security) => [security.id, security])).values()];
}
