import { expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { calendarUrl, envelope, pastRow } from '../../test/support/write-recording.ts';
import { barOf, eveningOf, ingestListedBars } from '../../test/support/stored-bars.ts';
import { emptyStore } from '../../test/support/stores.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { createSourceResponse } from '../providers/source-response.ts';
import { providers } from '../providers/registry.gen.ts';
import type { Db } from '../storage/db.ts';
import { createIngest } from './ingest.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');

/** Results observed in February, per share as of that time. */
const RESULTS = createSourceResponse({
  url: calendarUrl('2026-02-10'),
  status: 200,
  contentType: 'application/json',
  observedAt: Date.parse('2026-02-11T12:00:00Z'),
  text: JSON.stringify(
    envelope([
      pastRow('DEAR', { epsForecast: '$97.50', eps: '$99.50', fiscalQuarterEnding: 'Dec/2025' }),
    ]),
  ),
});

/** The shares split 25 for 1 between Thursday and Monday. */
const SNAPSHOTS = [
  { day: '2026-04-02', close: '4320', before: '4400' },
  { day: '2026-04-06', close: '172.80', before: '172.8' },
];

/** The operator's table lists the same split. */
const TABLE = createSourceResponse({
  url: 'file:///splits.csv',
  status: 200,
  contentType: 'text/csv',
  observedAt: Date.parse('2026-05-01T12:00:00Z'),
  text: 'symbol,date,numerator,denominator\nDEAR,2026-04-06,25,1\n',
});

const EXPECTED = { eps: '3.98', epsEstimate: '3.9', splitFactor: '25' };

onEachEngine((db) => {
  test('adjusts earnings for a split detected from prices, in any order', async () => {
    for (const order of [
      [ingestResults, ingestSnapshots],
      [ingestSnapshots, ingestResults],
    ]) {
      await emptyStore(db());
      for (const step of order) await step(db());
      expect(await eventsOf(db())).toEqual([EXPECTED]);
    }
  });

  test('adjusts earnings for a split from a table, in any order', async () => {
    for (const order of [
      [ingestResults, ingestTable],
      [ingestTable, ingestResults],
    ]) {
      await emptyStore(db());
      for (const step of order) await step(db());
      expect(await eventsOf(db())).toEqual([EXPECTED]);
    }
  });

  test('records a change to earnings adjusted for a split and invalidates cached responses', async () => {
    await emptyStore(db());
    await ingestResults(db());
    const topics = await ingestSnapshots(db());
    expect(topics).toContain('earnings:symbol:DEAR');
    const [change] = await db().query(
      `select kind, changed_fields from change_record where dataset = 'earnings'
        order by id desc limit 1`,
    );
    expect(change).toEqual({
      kind: 'changed',
      changed_fields: ['epsEstimate', 'eps', 'splitFactor'],
    });
  });
});

function ingestResults(db: Db): Promise<unknown> {
  return ingest(db, RESULTS);
}

function ingestTable(db: Db): Promise<unknown> {
  return ingest(db, TABLE);
}

function ingest(db: Db, response: typeof RESULTS): Promise<unknown> {
  const clock = fakeClock(NOW);
  return createIngest({ db, clock, providers, onCommit: () => undefined })(response);
}

async function ingestSnapshots(db: Db): Promise<string[]> {
  const topics: string[] = [];
  for (const [i, { day, close, before }] of SNAPSHOTS.entries()) {
    const volume = 300_000 + i * 1000;
    const row = barOf('DEAR', null, close, { previousClose: before, volume });
    const bars = { list: 'nasdaq', isAdjusted: false, rows: [row] };
    const source = { feed: 'nasdaq/screener', at: eveningOf(day) };
    topics.push(...(await ingestListedBars(db, bars, source)).topics);
  }
  return topics;
}

function eventsOf(db: Db): Promise<unknown[]> {
  return db.query(
    `select eps, eps_estimate as "epsEstimate", split_factor as "splitFactor"
       from earnings_event where known_to is null`,
  );
}
