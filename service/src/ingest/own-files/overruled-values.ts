import { loadDividendsOfSecurities } from '../../datasets/dividends/store.ts';
import { loadEarningsOfSecurities } from '../../datasets/earnings/store.ts';
import { loadProfiles } from '../../datasets/profiles/store.ts';
import { loadSecuritiesBySymbol } from '../../datasets/securities/store.ts';
import type { FieldSource } from '../../datasets/versions/versioned-table.ts';
import { compareDecimals, normalizeDecimal } from '../../domain/decimal.ts';
import { daysBetween, parseLocalDate } from '../../domain/local-date.ts';
import { formatInstant } from '../../platform/instant.ts';
import type { ParsedRow } from '../../providers/provider.ts';
import type { Queryable } from '../../storage/db.ts';

/** A value from an operator's file that the API does not show. */
export interface OverruledValue {
  line: number | null;
  symbol: string;
  field: string;
  own: string;
  /** The value that the API shows; null for none. */
  shown: string | null;
  /** Source of the shown value; null if it is computed. */
  source: FieldSource | null;
}

/** A row that the API shows. */
interface ShownRow {
  symbols: readonly string[];
  fields: Readonly<Record<string, unknown>>;
  provenance: Readonly<Record<string, FieldSource>>;
  /** Date by which a row is found if it has no matching period. */
  date: string | null;
}

/** Reports are at least a quarter apart, so a nearer one is the same report. */
const SAME_REPORT_DAYS_MAX = 40;
/** A corrected ex-date within these days is still the same dividend. */
const SAME_DIVIDEND_DAYS_MAX = 4;
const CHUNK_ROWS = 500;

/**
 * Finds the values in stored rows of an operator's file that the API does not show, because a value
 * from another source takes precedence. Checks the data sets in which that is possible. The
 * operator's bars, splits, offerings and economic events always take precedence.
 */
export async function findOverruled(
  db: Queryable,
  rows: readonly ParsedRow[],
): Promise<OverruledValue[]> {
  const overruled: OverruledValue[] = [];
  for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
    overruled.push(...(await overruledInChunk(db, rows.slice(start, start + CHUNK_ROWS))));
  }
  return overruled;
}

async function overruledInChunk(
  db: Queryable,
  rows: readonly ParsedRow[],
): Promise<OverruledValue[]> {
  const loaders = { earnings: loadReports, dividends: loadDividends, profiles: loadCompanies };
  const overruled: OverruledValue[] = [];
  for (const [dataset, load] of Object.entries(loaders)) {
    const own = rows.filter((row) => row.dataset === dataset);
    if (own.length === 0) continue;
    const bySymbol = await load(
      db,
      own.map(({ entityKey }) => entityKey),
    );
    for (const row of own) {
      const shown = matchOf(
        row,
        bySymbol.filter(({ symbols }) => symbols.includes(row.entityKey)),
      );
      if (shown !== null) overruled.push(...differences(row, shown));
    }
  }
  return overruled;
}

async function loadReports(db: Queryable, symbols: readonly string[]): Promise<ShownRow[]> {
  const symbolsOf = await symbolsBySecurity(db, symbols);
  const events = await loadEarningsOfSecurities(db, [...symbolsOf.keys()]);
  return events.map(({ securityId, provenance, ...fields }) => ({
    symbols: symbolsOf.get(securityId) ?? [],
    fields: { ...fields },
    provenance,
    date: fields.date,
  }));
}

async function loadDividends(db: Queryable, symbols: readonly string[]): Promise<ShownRow[]> {
  const symbolsOf = await symbolsBySecurity(db, symbols);
  const dividends = await loadDividendsOfSecurities(db, [...symbolsOf.keys()]);
  return dividends.map(({ securityId, provenance, ...fields }) => ({
    symbols: symbolsOf.get(securityId) ?? [],
    fields: { ...fields },
    provenance,
    date: fields.exDate,
  }));
}

async function loadCompanies(db: Queryable, symbols: readonly string[]): Promise<ShownRow[]> {
  const symbolsOf = await symbolsBySecurity(db, symbols);
  const profiles = await loadProfiles(db, [...symbolsOf.keys()]);
  return profiles.map(({ securityId, fields, provenance }) => ({
    symbols: symbolsOf.get(securityId) ?? [],
    fields: { ...fields, sharesOutstanding: fields.outstandingSharesAllClasses },
    provenance,
    date: null,
  }));
}

async function symbolsBySecurity(
  db: Queryable,
  symbols: readonly string[],
): Promise<Map<string, string[]>> {
  const securities = await loadSecuritiesBySymbol(db, symbols);
  return new Map(
    securities.map(({ id, symbols: spans }) => [id, spans.map(({ symbol }) => symbol)]),
  );
}

/** Returns the row that shows what an operator's row describes, or null if there is none. */
function matchOf(row: ParsedRow, shown: readonly ShownRow[]): ShownRow | null {
  if (row.dataset === 'profiles') return shown[0] ?? null;
  if (row.dataset === 'dividends') {
    return nearest(shown, row.fields.exDate, SAME_DIVIDEND_DAYS_MAX);
  }
  if (row.dataset !== 'earnings') return null;
  const { fields } = row;
  if (fields.kind !== 'calendar' && fields.kind !== 'figures') return null;
  const month = fields.fiscalPeriodEnd?.slice(0, 7) ?? null;
  const samePeriod = shown.find(
    (report) => month !== null && String(report.fields['fiscalPeriodEnd']).startsWith(month),
  );
  if (samePeriod !== undefined || fields.kind === 'figures') return samePeriod ?? null;
  return nearest(shown, fields.date, SAME_REPORT_DAYS_MAX);
}

function nearest(shown: readonly ShownRow[], day: string, daysMax: number): ShownRow | null {
  const at = parseLocalDate(day);
  let best: ShownRow | null = null;
  let bestDays = daysMax + 1;
  for (const row of shown) {
    const date = parseLocalDate(row.date ?? '');
    if (at === null || date === null) continue;
    const days = Math.abs(daysBetween(at, date));
    if (days >= bestDays) continue;
    best = row;
    bestDays = days;
  }
  return best;
}

/** Fields that identify a row, or that only describe others. */
const UNCOMPARED: ReadonlySet<string> = new Set([
  'kind',
  'dateStatus',
  'symbol',
  'name',
  'cik',
  'fiscalPeriodEnd',
  'fiscalPeriodPrecision',
  'lastYearReportDate',
]);

function differences(row: ParsedRow, shown: ShownRow): OverruledValue[] {
  return Object.entries(row.fields).flatMap(([field, own]): OverruledValue[] => {
    const source = shown.provenance[field] ?? null;
    const value = shown.fields[field];
    const isCompared = !UNCOMPARED.has(field) && field in shown.fields && isGiven(own);
    if (!isCompared || source?.provider === 'files' || isEqual(own, value)) return [];
    return [
      {
        line: row.line ?? null,
        symbol: row.entityKey,
        field,
        own: textOf(field, own),
        shown: value == null ? null : textOf(field, value),
        source,
      },
    ];
  });
}

/** Fields with an instant. */
const INSTANTS: ReadonlySet<string> = new Set(['reportedAt']);

function textOf(field: string, value: unknown): string {
  return typeof value === 'number' && INSTANTS.has(field) ? formatInstant(value) : String(value);
}

function isGiven(value: unknown): boolean {
  return value != null && value !== 'time-not-supplied';
}

function isEqual(own: unknown, shown: unknown): boolean {
  const [left, right] = [own, shown].map((value) => normalizeDecimal(String(value)));
  if (left != null && right != null) return compareDecimals(left, right) === 0;
  return String(own) === String(shown);
}
