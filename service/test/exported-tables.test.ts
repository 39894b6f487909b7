import { expect, test } from 'vitest';
import { datasets } from '../src/datasets/registry.gen.ts';
import { endpoints } from '../src/endpoints/registry.gen.ts';
import { tables } from '../src/endpoints/tables/registry.gen.ts';
import { columnsOf, flatColumns } from '../src/exports/columns.ts';

test('has a table for each data set', () => {
  const names = tables.map(({ name }) => name);
  expect(names.filter((name) => name !== 'market-overrides')).toEqual(
    datasets.map(({ name }) => name),
  );
});

test('has the fields of its endpoint in each table, except for documented ones', () => {
  for (const { name, endpoint, row, omitted } of tables) {
    if (endpoint === null) continue;
    const { response } = endpoints.find(({ path }) => path === endpoint) ?? {};
    expect(JSON.stringify(response), name).toContain(JSON.stringify(row));
    expect(Object.keys(row.properties), name).toEqual(expect.arrayContaining([...omitted]));
  }
});

test('has columns with unique names, of which only the fields of the API are in camelCase', () => {
  for (const table of tables) {
    const columns = columnsOf(table);
    const flat = flatColumns(columns).map(({ name }) => name.toLowerCase());
    expect(new Set(flat).size, table.name).toBe(flat.length);
    const own = columns.filter(({ name }) => !Object.hasOwn(table.row.properties, name));
    expect(own.map(({ name }) => name)).toEqual([
      ...(table.stored.securityId === null ? [] : ['security_id']),
      'known_from',
      'known_to',
      'public_at',
      ...(Object.hasOwn(table.row.properties, 'provenance') ? [] : ['provenance']),
    ]);
  }
});
