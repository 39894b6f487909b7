import type { LocalDate } from '../../domain/local-date.ts';
import type { FrozenView, Row } from '../../storage/db.ts';
import type { Exported } from './exported.ts';

/** What of a data set is wanted. */
export interface Wanted {
  /** Every version, and not just what holds now. */
  isAll: boolean;
  /** The first and the last day, where they are bounded. */
  from: LocalDate | null;
  to: LocalDate | null;
}

const BATCH_ROWS = 5_000;

/**
 * The rows of a data set in its order, some thousand at a time, by the names that files give them. A
 * cursor of the view's transaction gives them, so that memory does not grow with their number.
 */
export async function* exportRows(
  view: FrozenView,
  exported: Exported,
  wanted: Wanted,
): AsyncGenerator<Row[], void> {
  const select = await selectOf(view, exported, wanted);
  // No row. The dates are read from their one form and need no quoting.
  await view.query(`declare exported no scroll cursor for ${select}`);
  for (;;) {
    const rows = await view.query(`fetch ${BATCH_ROWS} from exported`);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH_ROWS) break;
  }
  await view.query('close exported');
}

/** The names that files give the columns of a data set, in order. */
export async function exportedNames(view: FrozenView, exported: Exported): Promise<string[]> {
  return (await columnsOf(view, exported)).map(({ name }) => fileName(name));
}

async function selectOf(
  view: FrozenView,
  exported: Exported,
  { isAll, from, to }: Wanted,
): Promise<string> {
  const { table, current, day, order } = exported;
  const columns = await columnsOf(view, exported);
  const shown = columns.map(({ name, type }) => `${valueOf(name, type)} as "${fileName(name)}"`);
  const conditions = ['true'];
  if (from !== null && day !== null) conditions.push(`f.${day} >= '${from}'`);
  if (to !== null && day !== null) conditions.push(`f.${day} <= '${to}'`);
  return `select ${shown.join(', ')} from ${isAll ? table : current} f
           where ${conditions.join(' and ')}
           order by ${order.map((name) => `f.${name}`).join(', ')}`;
}

interface Column extends Row {
  name: string;
  type: string;
}

async function columnsOf(view: FrozenView, { table, without }: Exported): Promise<Column[]> {
  // One row a column, from the catalog.
  const columns = await view.query<Column>(
    `select attname::text as name, format_type(atttypid, atttypmod) as type
       from pg_attribute
      where attrelid = $1::text::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );
  return columns.filter(({ name }) => !without.includes(name));
}

/** Instants as everywhere else in answers; a thousandth of a second is what they are written with. */
function valueOf(name: string, type: string): string {
  if (type !== 'timestamp with time zone') return `f.${name}`;
  return `to_char(f.${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** `eps_estimate` is `epsEstimate`. */
function fileName(column: string): string {
  return column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
