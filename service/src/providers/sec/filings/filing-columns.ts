import type { JsonObject } from '../../kit/json.ts';

/** The reason why a table of filings is unreadable. */
export interface ColumnFault {
  reason: 'missing-column' | 'unequal-columns';
  detail: string;
}

const REQUIRED_COLUMNS = [
  'accessionNumber',
  'filingDate',
  'reportDate',
  'acceptanceDateTime',
  'form',
  'items',
] as const;

/** Read if present; EDGAR has other columns that nothing needs. */
const OPTIONAL_COLUMNS = ['size'] as const;

/**
 * Combines the columns into one object per filing, since EDGAR lists filings as one array per
 * column. Other columns are ignored. If the arrays differ in length, no rows are read because every
 * pairing is doubtful.
 */
export function zipFilings(table: JsonObject): JsonObject[] | ColumnFault {
  const columns = new Map<string, unknown[]>();
  for (const name of REQUIRED_COLUMNS) {
    const column = table[name];
    if (!Array.isArray(column)) return { reason: 'missing-column', detail: `no column ${name}` };
    columns.set(name, column);
  }
  for (const name of OPTIONAL_COLUMNS) {
    const column = table[name];
    if (Array.isArray(column)) columns.set(name, column);
  }
  const lengths = [...columns.values()].map((column) => column.length);
  if (new Set(lengths).size > 1) {
    const detail = [...columns].map(([name, { length }]) => `${name} ${length}`).join(', ');
    return { reason: 'unequal-columns', detail };
  }
  return Array.from({ length: lengths[0] ?? 0 }, (_, index) =>
    Object.fromEntries([...columns].map(([name, column]) => [name, column[index]])),
  );
}
