import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryStore } from '../../../test/support/stores.ts';
import { foldFormerName, foldFullName } from '../../domain/former-name.ts';
import type { Db } from '../../storage/db.ts';

let db: Db;
beforeAll(async () => {
  db = await memoryStore();
});
afterAll(() => db.close());

const NAMES = [
  ['FACTORY TOOLS INC /DE/', 'factorytools'],
  ['Factory Tools, Inc.', 'factorytools'],
  ['Factory Tools Co., Ltd.', 'factorytools'],
  ['FACTORY TOOLS CORP/CA', 'factorytools'],
  ['Fábrica de Ferramentas S.A.', 'fbricadeferramentas'],
  ['Coors & Sons plc', 'coorssons'],
  ['Incorporated Tools', 'incorporatedtools'],
  ['MINC', 'minc'],
  ['İnci Ltd', 'nci'],
  ['', ''],
] as const;

test('folds former names in SQL as in the service', async () => {
  const formerNames = NAMES.map(([name]) => ({ name, until: null }));
  // Returns one row.
  const [row] = await db.query<{ keys: string[] }>(
    'select folded_former_names($1::jsonb) as keys',
    [JSON.stringify({ formerNames })],
  );
  expect(row?.keys).toEqual(NAMES.map(([name]) => foldFormerName(name)));
  expect(row?.keys).toEqual(NAMES.map(([, key]) => key));
});

test('folds a longer form of a former name to a text that begins with the former name', () => {
  for (const name of ['Factory Tools, Inc. Class A Common Stock', 'FACTORY TOOLS CORP Warrants']) {
    expect(foldFullName(name).startsWith(foldFormerName('Factory Tools Inc'))).toBe(true);
  }
});
