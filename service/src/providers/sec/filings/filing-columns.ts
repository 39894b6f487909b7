import type { JsonObject } from '../answer-body.ts';

/** One filing as EDGAR lists it, nothing trusted yet. */
export interface RawFiling {
  accessionNumber: unknown;
  filingDate: unknown;
  reportDate: unknown;
  acceptanceDateTime: unknown;
  form: unknown;
  items: unknown;
}

/** Why a table of filings cannot be read. */
export interface ColumnFault {
  reason: 'missing-column' | 'unequal-columns';
  detail: string;
}

const NEEDED = [
  'accessionNumber',
  'filingDate',
  'reportDate',
  'acceptanceDateTime',
  'form',
  'items',
] as const;

/**
 * EDGAR lists filings as one array per column. The needed columns are zipped by name; the others,
 * new ones included, are not looked at. Arrays of unequal length make every pairing doubtful, so
 * then no row is read.
 */
export function zipFilings(columns: JsonObject): RawFiling[] | ColumnFault {
  const found = new Map<string, unknown[]>();
  for (const name of NEEDED) {
    const column = columns[name];
    if (!Array.isArray(column)) return { reason: 'missing-column', detail: `no column ${name}` };
    found.set(name, column);
  }
  const lengths = [...found].map(([name, column]) => `${name} ${column.length}`);
  if (new Set([...found.values()].map((column) => column.length)).size > 1) {
    return { reason: 'unequal-columns', detail: lengths.join(', ') };
  }
  const at = (name: (typeof NEEDED)[number], index: number): unknown => found.get(name)?.[index];
  return (found.get('form') ?? []).map((form, index) => ({
    accessionNumber: at('accessionNumber', index),
    filingDate: at('filingDate', index),
    reportDate: at('reportDate', index),
    acceptanceDateTime: at('acceptanceDateTime', index),
    form,
    items: at('items', index),
  }));
}
