import { afterEach, beforeEach, expect, test } from 'vitest';
import { envelope, screenerRow, screenerUrl } from '../../test/support/write-recording.ts';
import { emptyStore, memoryStore } from '../../test/support/stores.ts';
import { marketCalendar } from '../domain/market/calendar.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { createSourceResponse } from '../providers/source-response.ts';
import { provider as nasdaq } from '../providers/nasdaq/index.ts';
import type { Db } from '../storage/db.ts';
import { loadFreshness } from './freshness.ts';
import { createIngest } from './ingest.ts';

/** An evening after the close. */
const EVENING = Date.UTC(2026, 10, 20, 23);
const NAMES = Array.from({ length: 12 }, (_, n) => `MER${String.fromCharCode(65 + n)}`);

let db: Db;
beforeEach(async () => {
  db = await memoryStore();
  await emptyStore(db);
});
afterEach(() => db.close());

function ingestRows(rows: readonly unknown[]) {
  const providers = [nasdaq];
  const clock = fakeClock(EVENING);
  const ingest = createIngest({ db, clock, providers, onCommit: () => undefined });
  return ingest(
    createSourceResponse({
      url: screenerUrl('nyse'),
      status: 200,
      contentType: 'application/json',
      observedAt: EVENING,
      text: JSON.stringify(envelope(rows)),
    }),
  );
}

async function stateOf(dataset: string): Promise<string | undefined> {
  const about = {
    providers: [nasdaq],
    enabled: [nasdaq],
    market: marketCalendar(),
    now: EVENING,
  };
  return (await loadFreshness({ db, ...about })).find((freshness) => freshness.dataset === dataset)
    ?.state;
}

/** Returns a row in which the source has renamed the symbol field. */
function renamed(symbol: string): object {
  const { symbol: ticker, ...rest } = screenerRow(symbol) as Record<string, unknown>;
  return { ...rest, ticker };
}

test('rejects a response without readable rows and quarantines each row', async () => {
  const report = await ingestRows(NAMES.map(renamed));
  expect(report.datasets[0]).toMatchObject({
    outcome: 'rejected',
    reason: 'no-good-row',
    rowsSeen: 12,
    rowsQuarantined: 12,
  });
  expect(await stateOf('profiles')).toBe('empty');
  expect(await db.query('select id from quarantined_row')).toHaveLength(12);
});

test('ingests a response with one readable row', async () => {
  const report = await ingestRows([screenerRow('GOOD'), ...NAMES.map(renamed)]);
  expect(report.datasets[0]).toMatchObject({ outcome: 'ingested', rowsQuarantined: 12 });
  expect(await stateOf('profiles')).toBe('fresh');
});

test('ingests a response with only a few invalid rows', async () => {
  const report = await ingestRows(NAMES.slice(0, 3).map(renamed));
  expect(report.datasets[0]).toMatchObject({ outcome: 'ingested', rowsQuarantined: 3 });
});
