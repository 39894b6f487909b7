import type { Db } from '../../src/storage/db.ts';

/**
 * Describes values that no stored row may contain: a date or instant outside 1900 to 2100, a
 * non-finite number, or an empty text. Checks all columns in all data tables.
 */
export async function findInvalidRows(db: Db): Promise<string[]> {
  // Loads the columns of the data tables from the catalog.
  const columns = await db.query<{ table: string; column: string; type: string }>(
    `select table_name as table, column_name as column, data_type as type
       from information_schema.columns
      where table_schema = 'public' and table_name = any($1::text[])
      order by table_name, ordinal_position`,
    [TABLES],
  );
  const values: string[] = [];
  for (const { table, column, type } of columns) {
    const rule = RULES[type];
    if (rule === undefined) continue;
    const condition = rule.replaceAll('$', `t."${column}"`);
    // Finds rows that break the rule for the column's type. Scans whole tables, which are small in
    // tests.
    const rows = await db.query<{ value: string }>(
      `select distinct t."${column}"::text as value from ${table} t where ${condition}`,
    );
    values.push(...rows.map(({ value }) => `${table}.${column} is ${value}`));
  }
  return values;
}

const TABLES = [
  'earnings_event',
  'profile',
  'dividend',
  'ipo',
  'economic_event',
  'security',
  'security_symbol',
  'quote',
  'price_bar',
  'share_split',
  'filed_split',
];

const RULES: Readonly<Record<string, string>> = {
  date: `$ not between '1900-01-01' and '2100-12-31'`,
  'timestamp with time zone': `$ not between '1900-01-01' and '2101-01-01'`,
  numeric: `$ in ('NaN', 'Infinity', '-Infinity')`,
  text: `btrim($) = ''`,
};
