import type { FieldSource } from '../datasets/versions/versioned-table.ts';
import type { DatasetTable } from '../endpoints/tables/table.ts';
import type { LocalDate } from '../domain/local-date.ts';
import type { Instant } from '../platform/instant.ts';
import type { Row, SnapshotView } from '../storage/db.ts';
import { withhold } from './withhold.ts';

/** Selects the rows to export. */
export interface RowFilter {
  /** Exports every version instead of only the current one. */
  allVersions: boolean;
  /** First and last day to export; null for no bound. */
  from: LocalDate | null;
  to: LocalDate | null;
  /** Only rows without a day, such as filed offerings. */
  isUndated?: boolean;
  /** Sources whose data is left out. */
  withheld?: readonly string[];
}

/** A row in the form of an endpoint's response, with the columns that only files have. */
export type ExportedRow = Readonly<Record<string, unknown>>;

interface StoredRow extends Row {
  known_from: Instant;
  known_to: Instant | null;
  security_id?: string;
  provenance?: Readonly<Record<string, FieldSource>>;
}

/** Rows fetched and rendered at a time, which blocks the event loop for some 50 ms. */
const BATCH_ROWS = 500;

/** Yields the rows of a table in batches, in the table's order. Reads through a cursor. */
export async function* readRows(
  view: SnapshotView,
  table: DatasetTable,
  filter: RowFilter,
): AsyncGenerator<ExportedRow[], void> {
  // The dates in the statement are validated as `LocalDate` and need no escaping.
  await view.query(`declare exported no scroll cursor for ${selectStatement(table, filter)}`);
  const withheld = new Set(filter.withheld);
  for (;;) {
    const stored = await view.query<StoredRow>(`fetch ${BATCH_ROWS} from exported`);
    const rows = stored.flatMap((row) => {
      const allowed = withheld.size === 0 ? row : withhold(table, row, withheld);
      return allowed === null ? [] : [renderRow(table, allowed)];
    });
    if (rows.length > 0) yield rows;
    if (stored.length < BATCH_ROWS) break;
  }
  await view.query('close exported');
}

function selectStatement({ stored }: DatasetTable, filter: RowFilter): string {
  const { select, versions, current, day, order, securityId, knownFrom, knownTo, knownWithout } =
    stored;
  const { allVersions, from, to, isUndated = false } = filter;
  const conditions = ['true'];
  if (day !== null) {
    if (from !== null) conditions.push(`${day} >= '${from}'`);
    if (to !== null) conditions.push(`${day} <= '${to}'`);
    if (isUndated) conditions.push(`${day} is null`);
  }
  const columns = [
    select,
    `${knownFrom} as known_from`,
    `${knownTo} as known_to`,
    ...(securityId === null ? [] : [`${securityId} as security_id`]),
  ];
  const { withheld = [] } = filter;
  if (withheld.length > 0 && knownWithout !== null) conditions.push(knownWithout(withheld));
  const chosen = typeof current === 'string' ? current : current(withheld);
  return `select ${columns.join(', ')} from ${(allVersions ? versions : null) ?? chosen} v
           where ${conditions.join(' and ')} order by ${order.join(', ')}`;
}

function renderRow(table: DatasetTable, stored: StoredRow): ExportedRow {
  const { provenance = {} } = stored;
  let publicAt = stored.known_from;
  const seenAt = Object.values(provenance).map((source) => source.seenAt);
  // An observation time of zero means that it is unknown.
  if (seenAt.length > 0 && !seenAt.includes(0)) publicAt = Math.max(...seenAt);
  return {
    ...table.render(stored),
    ...(stored.security_id === undefined ? {} : { security_id: stored.security_id }),
    known_from: stored.known_from,
    known_to: stored.known_to,
    public_at: publicAt,
    provenance: renderSources(table, provenance),
  };
}

/** Returns the sources by field: `eps`, or the part `eps` of `estimates`. */
function renderSources(
  { sources: covered }: DatasetTable,
  provenance: Readonly<Record<string, FieldSource>>,
): object {
  const rendered: Record<string, unknown> = {};
  for (const [name, { provider, seenAt }] of Object.entries(provenance)) {
    const source = { source: provider, seenAt };
    for (const field of covered[name] ?? [name]) {
      const [outer = field, part] = field.split('.');
      if (part === undefined) rendered[outer] ??= source;
      else rendered[outer] = { ...(rendered[outer] as object | undefined), [part]: source };
    }
  }
  return rendered;
}
