import type { ExportedTable } from '../../datasets/exported-table.ts';
import { datasets } from '../../datasets/registry.gen.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { SnapshotView, Row } from '../../storage/db.ts';

/** A data set that can be exported, or the operators' market overrides. */
export interface ExportableDataset extends ExportedTable {
  name: string;
}

export const EXPORTABLE_DATASETS: readonly ExportableDataset[] = [
  ...datasets.map(({ name, exported }) => ({ name, ...exported })),
  {
    name: 'market-overrides',
    table: 'market_override',
    without: [],
    day: 'market_date',
    current: '(select * from market_override where revoked_at is null)',
    order: ['market_date', 'id'],
  },
];

/** Selects the rows to export. */
export interface ExportFilter {
  /** Exports every version instead of only the current one. */
  allVersions: boolean;
  /** First and last day to export; null for no bound. */
  from: LocalDate | null;
  to: LocalDate | null;
}

const BATCH_ROWS = 5_000;

/**
 * Yields the rows of a data set in batches, in the data set's order and with the column names used
 * in files. Reads through a cursor, so memory use does not grow with the number of rows.
 */
export async function* exportRows(
  view: SnapshotView,
  dataset: ExportableDataset,
  filter: ExportFilter,
): AsyncGenerator<Row[], void> {
  const select = await selectStatement(view, dataset, filter);
  // The dates in the statement are validated as `LocalDate` and need no escaping.
  await view.query(`declare exported no scroll cursor for ${select}`);
  for (;;) {
    const rows = await view.query(`fetch ${BATCH_ROWS} from exported`);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH_ROWS) break;
  }
  await view.query('close exported');
}

/** Returns a data set's column names as used in files, in order. */
export async function columnNames(
  view: SnapshotView,
  dataset: ExportableDataset,
): Promise<string[]> {
  return (await loadColumns(view, dataset)).map(({ name }) => camelCase(name));
}

async function selectStatement(
  view: SnapshotView,
  dataset: ExportableDataset,
  { allVersions, from, to }: ExportFilter,
): Promise<string> {
  const { table, current, currentValues = {}, day, order } = dataset;
  const columns = await loadColumns(view, dataset);
  const selected = columns.map(
    ({ name, type }) =>
      `${(allVersions ? undefined : currentValues[name]) ?? valueExpression(name, type)}
         as "${camelCase(name)}"`,
  );
  const conditions = ['true'];
  if (from !== null && day !== null) conditions.push(`f.${day} >= '${from}'`);
  if (to !== null && day !== null) conditions.push(`f.${day} <= '${to}'`);
  return `select ${selected.join(', ')} from ${allVersions ? table : current} f
           where ${conditions.join(' and ')}
           order by ${order.map((name) => `f.${name}`).join(', ')}`;
}

interface Column extends Row {
  name: string;
  type: string;
}

async function loadColumns(
  view: SnapshotView,
  { table, without }: ExportableDataset,
): Promise<Column[]> {
  // Returns one row per column.
  const columns = await view.query<Column>(
    `select attname::text as name, format_type(atttypid, atttypmod) as type
       from pg_attribute
      where attrelid = $1::text::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );
  return columns.filter(({ name }) => !without.includes(name));
}

/** Returns an SQL expression that formats instants as in API responses, with milliseconds. */
function valueExpression(name: string, type: string): string {
  if (type !== 'timestamp with time zone') return `f.${name}`;
  return `to_char(f.${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Converts `eps_estimate` to `epsEstimate`. */
function camelCase(column: string): string {
  return column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
