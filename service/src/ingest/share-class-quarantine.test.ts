import { expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import {
  upcomingRow,
  calendarUrl,
  envelope,
  submissions,
  submissionsUrl,
  tickers,
  TICKERS_URL,
} from '../../test/support/write-recording.ts';
import { emptyStore } from '../../test/support/stores.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { createSourceResponse } from '../providers/source-response.ts';
import type { SourceResponse } from '../providers/provider.ts';
import { providers } from '../providers/registry.gen.ts';
import type { Db } from '../storage/db.ts';
import { createIngest } from './ingest.ts';

const CIK = '0009990001';
/** Two share classes of one company that have different data in the calendars. */
const LIST = response(
  TICKERS_URL,
  tickers([9_990_001, 'North', 'NRTH'], [9_990_001, 'North', 'NRTHL']),
);
const NEAR = day('2026-02-11', 'NRTHL', 'Dec/2025');
const FAR = day('2026-05-12', 'NRTH', 'Dec/2025');
const FILINGS = response(
  submissionsUrl(CIK),
  submissions(CIK, 'NRTH', ['2026-02-10T21:05:00.000Z', '2026-02-11T12:00:00.000Z']),
);

onEachEngine((db) => {
  test('quarantines a filing for each share class with its own reason, regardless of the order of responses', async () => {
    const orders = [
      [LIST, NEAR, FAR, FILINGS],
      [LIST, FILINGS, NEAR, FAR],
      [FILINGS, FAR, LIST, NEAR],
    ];
    const quarantined: string[][] = [];
    for (const responses of orders) quarantined.push(await quarantinedAfter(db(), responses));
    expect(new Set(quarantined[0]).size).toBeGreaterThan(1);
    expect(quarantined).toEqual(orders.map(() => quarantined[0]));
  });
});

function day(date: string, symbol: string, fiscalQuarterEnding: string): SourceResponse {
  return response(calendarUrl(date), envelope([upcomingRow(symbol, { fiscalQuarterEnding })]));
}

function response(url: string, body: object): SourceResponse {
  return createSourceResponse({
    url,
    status: 200,
    contentType: 'application/json',
    text: JSON.stringify(body),
    observedAt: Date.parse('2026-01-25T12:00:00Z'),
  });
}

/** Returns the symbol, filing and reason for each quarantined row. */
async function quarantinedAfter(db: Db, responses: readonly SourceResponse[]): Promise<string[]> {
  await emptyStore(db);
  const clock = fakeClock(Date.parse('2026-06-01T12:00:00Z'));
  const ingest = createIngest({ db, clock, providers, onCommit: () => undefined });
  for (const response of responses) await ingest(response);
  const rows = await db.query<{ row: string }>(
    `select s.symbol || ': ' || h.detail as row
       from held_record h
       join source_record r on r.id = h.record_id
       join security s on s.id = h.owner
      order by s.symbol, r.natural_key, h.detail`,
  );
  return rows.map(({ row }) => row);
}
