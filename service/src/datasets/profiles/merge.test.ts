import { expect, test } from 'vitest';
import { securityOf, SEEN_AT } from '../../../test/support/stored-earnings.ts';
import { memoryStore } from '../../../test/support/stores.ts';
import { recordRows } from '../source-records/record-rows.ts';
import { mergeProfiles } from './merge.ts';

test("marks topics shared by all companies as stale when a company's shares, name or type change", async () => {
  const db = await memoryStore();
  const topicsOf = (fields: object, at: number): Promise<string[]> =>
    db.transaction(async (tx) => {
      const source = { provider: 'sec', feed: 'facts', naturalKey: 'profile' };
      const row = { dataset: 'profiles', entityKey: 'MERD', ...source, fields };
      await recordRows(tx, [row], at, 1);
      return [...(await mergeProfiles({ tx, now: at }, [securityOf('MERD')], [])).topics];
    });
  const first = { companyName: 'Meridian Inc.', sharesOutstanding: '1000' };
  expect(await topicsOf(first, SEEN_AT)).toEqual(['profile:MERD', 'shares', 'names-and-kinds']);
  const renamed = { ...first, companyName: 'Meridian Group Inc.' };
  expect(await topicsOf(renamed, SEEN_AT + 1)).toEqual(['profile:MERD', 'names-and-kinds']);
  const sorted = { ...renamed, sector: 'Energy' };
  expect(await topicsOf(sorted, SEEN_AT + 2)).toEqual(['profile:MERD']);
  const counted = { ...sorted, sharesOutstanding: '1100' };
  expect(await topicsOf(counted, SEEN_AT + 3)).toEqual(['profile:MERD', 'shares']);
  await db.close();
});
