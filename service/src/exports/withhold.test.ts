import { expect, test } from 'vitest';
import { readInPlace } from '../../test/support/read-in-place.ts';
import { eventOf, securityOf, storeRows } from '../../test/support/stored-earnings.ts';
import { memoryStore } from '../../test/support/stores.ts';
import { tables } from '../endpoints/tables/registry.gen.ts';
import { readRows } from './read-rows.ts';
import { withhold } from './withhold.ts';

const WITHHELD = new Set(['personal']);
const open = { provider: 'open', feed: 'f', seenAt: 1 };
const personal = { provider: 'personal', feed: 'f', seenAt: 2 };

function tableOf(name: string) {
  const table = tables.find((candidate) => candidate.name === name);
  if (table === undefined) throw new Error(`no table ${name}`);
  return table;
}

test('removes the values of a withheld source, and everything computed from them', () => {
  const event = eventOf('NRTH', {
    eps: '1.5',
    fiscalYear: 2026,
    provenance: { date: open, eps: personal, epsEstimate: open, fiscalYear: personal },
  });
  const table = tableOf('earnings');
  const row = withhold(table, event, WITHHELD);
  expect(row).toMatchObject({
    eps: null,
    epsEstimate: '1.2',
    fiscalYear: null,
    fiscalQuarter: null,
    provenance: { date: open, epsEstimate: open },
  });
  expect(table.render({ ...row })).toMatchObject({
    eps: null,
    epsSurprise: null,
    epsOutcome: null,
  });
});

test('leaves out a row whose day, or whose every value, comes from a withheld source', () => {
  const table = tableOf('earnings');
  const dated = eventOf('NRTH', { provenance: { date: personal, eps: open } });
  expect(withhold(table, dated, WITHHELD)).toBeNull();
  const bar = { provenance: { close: personal } };
  expect(withhold(tableOf('bars'), bar, WITHHELD)).toBeNull();
  const release = { provenance: { schedule: personal, actual: open } };
  expect(withhold(tableOf('economic-events'), release, WITHHELD)).toBeNull();
});

test('classifies a company again without the withheld facts of its profile', () => {
  const profile = {
    symbol: 'NRTH',
    fields: {
      companyName: 'North Trust',
      sector: 'Finance',
      sicCode: '2834',
      classification: 'provider',
      type: 'fund',
      tags: ['etf'],
      cik: 'b',
    },
    provenance: { sector: personal, isEtf: personal, companyName: open, sicCode: open, cik: open },
  };
  expect(withhold(tableOf('profiles'), profile, WITHHELD)).toMatchObject({
    fields: { sector: 'Health Care', classification: 'sic', type: 'equity', tags: [], cik: 'b' },
  });
  const flagged = { ...profile.provenance, isEtf: open };
  const withFlag = withhold(tableOf('profiles'), { ...profile, provenance: flagged }, WITHHELD);
  expect(withFlag).toMatchObject({ fields: { type: 'fund', tags: ['etf'] } });
});

test('leaves out securities that only withheld sources know', async () => {
  const db = await memoryStore();
  try {
    await storeRows(db, { securities: [securityOf('NRTH'), securityOf('BLUE')] });
    await db.query(
      `insert into source_record
         (dataset, subject, provider, feed, natural_key, fields_sha256, fields)
       values ('securities', 'NRTH', 'open', 'f', 'NRTH', '1', '{}'),
              ('profiles', 'NRTH', 'personal', 'f', 'NRTH', '2', '{}'),
              ('profiles', 'BLUE', 'personal', 'f', 'BLUE', '3', '{}')`,
    );
    const symbolsWithout = (withheld: string[]): Promise<Set<unknown>> =>
      readInPlace(db).readSnapshot(async (view) => {
        const filter = { allVersions: true, from: null, to: null, withheld };
        const symbols: unknown[] = [];
        for await (const rows of readRows(view, tableOf('securities'), filter)) {
          symbols.push(...rows.map(({ symbol }) => symbol));
        }
        return new Set(symbols);
      });
    expect(await symbolsWithout([])).toEqual(new Set(['BLUE', 'NRTH']));
    expect(await symbolsWithout(['personal'])).toEqual(new Set(['NRTH']));
  } finally {
    await db.close();
  }
});

test('removes the part of a value that has its own source', () => {
  const estimates = { eps: { mean: '1' }, revenue: { mean: '2' } };
  const row = { estimates, provenance: { 'estimates.eps': personal, eps: open } };
  expect(withhold(tableOf('earnings'), row, WITHHELD)).toMatchObject({
    estimates: { eps: null, revenue: { mean: '2' } },
  });
});
