import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { eventOf, securityOf, storeRows } from '../../../test/support/stored-earnings.ts';
import { localDate } from '../../domain/local-date.ts';
import { datasets } from '../registry.gen.ts';
import { loadCoverage } from './load.ts';
import type { CoverageTable } from './coverage-table.ts';

onEachEngine((db) => {
  test.each(datasets)(
    'counts zero rows in the empty data set $name',
    async ({ coverage: table }) => {
      const { rows, isEstimate, symbols, firstDate, filled } = await loadCoverage(db(), table);
      expect({ rows, isEstimate, firstDate }).toEqual({
        rows: 0,
        isEstimate: false,
        firstDate: null,
      });
      expect(symbols).toBe(table.symbols === null ? null : 0);
      expect(filled.filter(({ share }) => share !== null)).toEqual([]);
    },
  );

  test('counts the rows of a small table exactly', async () => {
    const day = (text: string) => ({ date: localDate(text) });
    await storeRows(db(), {
      securities: [securityOf('NRTH'), securityOf('VLY'), securityOf('ZED')],
      events: [
        eventOf('NRTH', { ...day('2026-08-19'), eps: '1.1' }),
        eventOf('NRTH', { ...day('2026-11-20'), time: 'time-not-supplied' }),
        eventOf('VLY', day('2027-02-10')),
        eventOf('VLY', { ...day('2030-01-01'), id: 'ern_gone' }),
      ],
    });
    await db().query(`update earnings_event set known_to = known_from where id = 'ern_gone'`);
    const coverage = await loadCoverage(db(), tableOf('earnings'));
    expect(coverage).toMatchObject({
      rows: 3,
      isEstimate: false,
      symbols: 2,
      firstDate: '2026-08-19',
      lastDate: '2027-02-10',
    });
    const shares = Object.fromEntries(coverage.filled.map(({ field, share }) => [field, share]));
    expect(shares).toMatchObject({ eps: 0.3333, epsEstimate: 1, time: 0.6667, revenue: 0 });
  });

  test('estimates the row count of a large table from a sample of its pages, and marks the result as an estimate', async () => {
    await db().query(
      `insert into share_split (symbol, date, provider, feed, numerator, denominator, seen_at)
       select 'S' || n % 500, date '2000-01-01' + n / 500, 'files', 'splits', 2, 1, now()
         from generate_series(0, 39999) as n`,
    );
    const table = tableOf('splits');
    const whole = await loadCoverage(db(), table);
    expect(whole).toMatchObject({ rows: 40_000, isEstimate: false, symbols: 500 });
    const sampled = await loadCoverage(db(), table, 60);
    expect(sampled).toMatchObject({ isEstimate: true, symbols: 500, lastDate: '2000-03-20' });
    expect(sampled.rows / 40_000).toBeGreaterThan(0.6);
    expect(sampled.rows / 40_000).toBeLessThan(1.4);
    expect(await loadCoverage(db(), table, 60)).toEqual(sampled);
  });
});

function tableOf(name: string): CoverageTable {
  const dataset = datasets.find((each) => each.name === name);
  if (dataset === undefined) throw new Error(`no data set ${name}`);
  return dataset.coverage;
}
