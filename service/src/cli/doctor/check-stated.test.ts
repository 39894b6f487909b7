import { afterAll, beforeAll, expect, test } from 'vitest';
import { figure, filed, release } from '../../../test/support/earnings-histories.ts';
import { securityOf, storeRows } from '../../../test/support/stored-earnings.ts';
import { memoryStore } from '../../../test/support/stores.ts';
import type { EarningsObservation } from '../../datasets/earnings/observation.ts';
import type { ObservationHistory } from '../../datasets/source-records/observation-history.ts';
import { recordRows } from '../../datasets/source-records/record-rows.ts';
import { marketCalendar } from '../../domain/market/calendar.ts';
import type { Db } from '../../storage/db.ts';
import type { Check } from './check.ts';
import { checkStatedFigures } from './check-stated.ts';

const FILED = '2026-11-12T12:00:00Z';
const REFILED = '2026-11-13T12:00:00Z';

let db: Db;
beforeAll(async () => {
  db = await memoryStore();
  await storeRows(db, { securities: [securityOf('NRTH', { cik: '0009990001' })], events: [] });
});
afterAll(() => db.close());

function check(): Promise<Check> {
  const now = Date.parse('2026-11-19T17:00:00Z');
  return checkStatedFigures({ db, now, market: marketCalendar(), sources: [] });
}

/** Records observations without deriving anything from them. */
async function record(
  ...histories: readonly ObservationHistory<EarningsObservation>[]
): Promise<void> {
  for (const { observations, ...key } of histories) {
    for (const { at, fields } of observations) {
      const row = { dataset: 'earnings', ...key, fields };
      await db.transaction((tx) => recordRows(tx, [row], at, 1));
    }
  }
}

test('compares the served figures of press releases with the filed ones', async () => {
  await record(
    ...release('2026-10-20T20:05:00Z', {
      periodEnd: '2026-09-30',
      epsGaap: ['0.80'],
      epsAdjusted: ['1.10'],
      revenue: ['901'],
    }),
    ...release('2026-11-10T20:05:00Z', { periodEnd: '2026-10-31', revenue: ['910'] }),
    // Ended before the days that are compared.
    ...release('2025-07-20T20:05:00Z', { periodEnd: '2025-06-30', revenue: ['890'] }),
  );
  expect(await check()).toMatchObject({
    state: 'ok',
    message: 'no figure of quarters since 2025-08-16 was filed; 3 not filed yet',
  });

  const facts = { epsDiluted: figure('0.80'), revenue: figure('950') };
  await record(filed('2026-09-30', facts, FILED));
  expect(await check()).toMatchObject({
    state: 'warning',
    message:
      '1 of 2 figures of quarters since 2025-08-16 confirmed by XBRL (50.0 %); 1 not filed yet; ' +
      'contradicted: NRTH 2026-09-30 revenue 901 ' +
      '(https://www.sec.gov/0009990001-20261020200500/ex991.htm), filed 950 (0009990001-26-000001)',
  });
});

test('compares the newest observation of each figure, and none in quarantine', async () => {
  const facts = { epsDiluted: figure('0.80'), revenue: figure('901') };
  await record(filed('2026-09-30', facts, REFILED));
  expect((await check()).message).toMatch(/^2 of 2 .*; 1 not filed yet$/);
  await db.query(
    `insert into held_record (record_id, dataset, owner, reason, detail)
     select id, 'earnings', 'sec_NRTH', 'year-ago-differs', '' from source_record
      where fields ->> 'figure' = 'revenue'`,
  );
  expect((await check()).message).toMatch(/^1 of 1 .*; 0 not filed yet$/);
});
