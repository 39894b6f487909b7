import { addDays, type LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { ShareSplit } from '../../domain/share-splits.ts';
import { compareBy } from '../../platform/compare.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import { filersOf, type Security } from '../securities/row.ts';
import { loadSecuritiesByCik } from '../securities/store.ts';
import { loadSplits } from '../splits/store.ts';
import {
  comparableFigure,
  type Confirmation,
  confirmStated,
  FILED_FIGURE_NAMES,
  type FiledFigureName,
} from './confirmation.ts';
import type { FinancialsObservation, StatedFigureObservation } from './observation.ts';

/** Number of served figures of press releases, by how the quarterly or annual report compares. */
export interface ConfirmationCounts {
  figure: FiledFigureName;
  confirmed: number;
  contradicted: number;
  notFiled: number;
}

/** A served figure of a press release that differs from the filed one. */
export interface Contradiction {
  /** The CIK if the filer has no listed symbol. */
  symbol: string;
  figure: FiledFigureName;
  periodEnd: LocalDate;
  currency: string;
  stated: string;
  filed: string;
  /** Accession number of the report that contains `filed`. */
  filedIn: string;
  documentUrl: string;
}

export interface Confirmations {
  /** First day of the quarter ends that are counted. */
  since: LocalDate;
  counts: ConfirmationCounts[];
  /** Ordered by symbol, then quarter. */
  contradictions: Contradiction[];
}

/** A year, and the time until its last report is due. */
const DAYS = 460;

/**
 * Compares the served figures of press releases with XBRL, for quarters that ended in the last 460
 * days. Quarantined figures are not served, so they do not count.
 */
export async function loadConfirmations(db: Queryable, now: Instant): Promise<Confirmations> {
  const since = addDays(newYorkDate(now), -DAYS);
  const pairs = await loadPairs(db, since);
  const differing = pairs.filter(({ stated, filed }) => confirm(stated, filed) === 'contradicted');
  const companies = await loadCompanies(db, new Set(differing.map(({ stated }) => stated.cik)));
  const compared = pairs.map((pair): ComparedPair => {
    const splits = companies.get(pair.stated.cik)?.splits ?? [];
    return { ...pair, result: confirm(pair.stated, pair.filed, splits) };
  });
  const count = (figure: FiledFigureName, result: Confirmation): number =>
    compared.filter((pair) => pair.stated.figure === figure && pair.result === result).length;
  return {
    since,
    counts: FILED_FIGURE_NAMES.map((figure) => ({
      figure,
      confirmed: count(figure, 'confirmed'),
      contradicted: count(figure, 'contradicted'),
      notFiled: count(figure, 'not-filed'),
    })),
    contradictions: compared
      .flatMap((pair) => toContradiction(pair, companies))
      .toSorted(compareBy(({ symbol, periodEnd, figure }) => `${symbol} ${periodEnd} ${figure}`)),
  };
}

/**
 * Returns the share of confirmed figures among those that were filed, 0 to 1; null if none was
 * filed.
 */
export function confirmedShare(
  counts: Pick<ConfirmationCounts, 'confirmed' | 'contradicted'>,
): number | null {
  const filed = counts.confirmed + counts.contradicted;
  return filed === 0 ? null : counts.confirmed / filed;
}

type Stated = StatedFigureObservation & { figure: FiledFigureName };

interface Pair {
  stated: Stated;
  /** The facts for the same quarter, one per source. */
  filed: FinancialsObservation[];
}

interface ComparedPair extends Pair {
  result: Confirmation;
}

async function loadPairs(db: Queryable, since: LocalDate): Promise<Pair[]> {
  // Returns one row per figure, as it was last read. Uses indexes source_record_stated_figure and
  // source_record_financials, and the primary keys of held_record and sighting.
  return db.query<Pair & Row>(
    `select s.fields as stated,
            coalesce((select jsonb_agg(f.fields order by f.provider, f.feed, f.natural_key)
                        from (select distinct on (f.provider, f.feed, f.natural_key) f.*
                                from source_record f
                               where f.dataset = 'earnings' and f.fields ->> 'kind' = 'financials'
                                 and f.subject = s.subject
                                 and f.fields ->> 'periodEnd' = s.fields ->> 'periodEnd'
                               order by f.provider, f.feed, f.natural_key,
                                        (select max(observed_at) from sighting
                                          where record_id = f.id) desc, f.fields_sha256 desc) f),
                     '[]') as filed
       from (select distinct on (r.subject, r.provider, r.feed, r.natural_key) r.*
               from source_record r
              where r.dataset = 'earnings' and r.fields ->> 'kind' = 'stated-figure'
                and r.fields ->> 'periodEnd' >= $1
              order by r.subject, r.provider, r.feed, r.natural_key,
                       (select max(observed_at) from sighting where record_id = r.id) desc,
                       r.fields_sha256 desc) s
      where s.fields ->> 'figure' = any($2::text[])
        and not exists (select 1 from held_record h where h.record_id = s.id)`,
    [since, FILED_FIGURE_NAMES],
  );
}

/** Returns the result of the first facts that are comparable. */
function confirm(
  stated: Stated,
  filed: readonly FinancialsObservation[],
  splits: readonly ShareSplit[] = [],
): Confirmation {
  const comparable = filed.find((each) => comparableFigure(stated, each) !== null);
  return confirmStated(stated, comparable ?? null, splits);
}

interface ComparedCompany {
  symbol: string;
  splits: ShareSplit[];
}

async function loadCompanies(
  db: Queryable,
  ciks: ReadonlySet<string>,
): Promise<Map<string, ComparedCompany>> {
  const securities = (await loadSecuritiesByCik(db, ciks)).filter(({ reports }) => reports);
  const splits = await loadSplits(
    db,
    securities.map(({ id }) => id),
  );
  const toCompany = ({ id, symbol }: Security): ComparedCompany => ({
    symbol,
    splits: (splits.get(id) ?? []).map((split) => ({ ...split, after: split.date })),
  });
  return new Map(
    securities.flatMap((security) =>
      filersOf(security).map((cik): [string, ComparedCompany] => [cik, toCompany(security)]),
    ),
  );
}

function toContradiction(
  { stated, filed, result }: ComparedPair,
  companies: ReadonlyMap<string, ComparedCompany>,
): Contradiction[] {
  if (result !== 'contradicted') return [];
  const { cik, figure, periodEnd, currency, value, documentUrl } = stated;
  const [own] = filed.flatMap((each) => comparableFigure(stated, each) ?? []);
  if (own === undefined) return [];
  const symbol = companies.get(cik)?.symbol ?? cik;
  return [
    {
      symbol,
      figure,
      periodEnd,
      currency,
      stated: value,
      filed: own.first,
      filedIn: own.accession,
      documentUrl,
    },
  ];
}
