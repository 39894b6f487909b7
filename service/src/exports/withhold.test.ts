import { expect, test } from 'vitest';
import { eventOf } from '../../test/support/stored-earnings.ts';
import { tables } from '../endpoints/tables/registry.gen.ts';
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

test('removes the facts of a profile, and the part of a value that has its own source', () => {
  const profile = {
    fields: { sector: 'a', cik: 'b' },
    provenance: { sector: personal, cik: open },
  };
  expect(withhold(tableOf('profiles'), profile, WITHHELD)).toMatchObject({
    fields: { sector: null, cik: 'b' },
  });
  const estimates = { eps: { mean: '1' }, revenue: { mean: '2' } };
  const row = { estimates, provenance: { 'estimates.eps': personal, eps: open } };
  expect(withhold(tableOf('earnings'), row, WITHHELD)).toMatchObject({
    estimates: { eps: null, revenue: { mean: '2' } },
  });
});
