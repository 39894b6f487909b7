import { expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { emptyStore } from '../../test/support/stores.ts';
import {
  calendarUrl,
  envelope,
  submissions,
  submissionsUrl,
  tickers,
  TICKERS_URL,
  upcomingRow,
} from '../../test/support/write-recording.ts';
import { loadEarningsBetween } from '../datasets/earnings/store.ts';
import type { EarningsEvent } from '../datasets/earnings/row.ts';
import { localDate } from '../domain/local-date.ts';
import { providers } from '../providers/registry.gen.ts';
import { createSourceResponse } from '../providers/source-response.ts';
import type { SourceResponse } from '../providers/provider.ts';
import type { Db } from '../storage/db.ts';
import { template } from '../webhooks/templates/earnings-schedule.ts';
import { createIngest } from './ingest.ts';

const CIK = '0009990001';
/** Two years of reports on Thursdays after the close. */
const DAYS = [
  '2024-01-25',
  '2024-04-25',
  '2024-07-25',
  '2024-10-24',
  '2025-01-23',
  '2025-04-24',
  '2025-07-24',
  '2025-10-23',
  '2026-01-22',
];
const AHEAD = { from: localDate('2026-02-01'), to: localDate('2026-07-31') };

function respond(url: string, at: string, body: object): SourceResponse {
  const contentType = 'application/json';
  const observedAt = Date.parse(at);
  return createSourceResponse({
    url,
    status: 200,
    contentType,
    observedAt,
    text: JSON.stringify(body),
  });
}

const LISTED = respond(
  TICKERS_URL,
  '2026-01-23T12:00:00Z',
  tickers([9990001, 'North Tools Inc', 'NRTH']),
);
const FILED = respond(
  submissionsUrl(CIK),
  '2026-01-23T12:01:00Z',
  submissions(
    CIK,
    'NRTH',
    DAYS.map((day) => `${day}T21:05:00.000Z`),
  ),
);
/** Says nothing about the company. */
const OTHER = respond(
  calendarUrl('2026-04-24'),
  '2026-04-24T12:00:00Z',
  envelope([upcomingRow('VLY')]),
);
const NAMED = respond(
  calendarUrl('2026-04-28'),
  '2026-04-24T13:00:00Z',
  envelope([upcomingRow('NRTH', { fiscalQuarterEnding: 'Mar/2026', time: 'time-after-hours' })]),
);

async function ingestAt(db: Db, now: string, responses: readonly SourceResponse[]): Promise<void> {
  const clock = fakeClock(Date.parse(now));
  const ingest = createIngest({ db, clock, providers, onCommit: () => undefined });
  for (const response of responses) await ingest(response);
}

async function rowsOf(db: Db, at: string | null = null): Promise<EarningsEvent[]> {
  const rows = await loadEarningsBetween(db, AHEAD, at === null ? null : Date.parse(at));
  return rows.filter(({ symbol }) => symbol === 'NRTH');
}

onEachEngine((db) => {
  test('stores a projected date once, moves it when its day is over, and leaves historical responses alone', async () => {
    await emptyStore(db());
    await ingestAt(db(), '2026-01-23T12:02:00Z', [LISTED, FILED]);
    const [projected] = await rowsOf(db());
    expect(projected).toMatchObject({ date: '2026-04-23', dateStatus: 'projected' });
    expect(projected?.projection?.basis).toContain('9 past reports');
    // Time alone writes nothing, and neither does the same page again.
    await ingestAt(db(), '2026-04-23T20:00:00Z', [FILED]);
    expect(await rowsOf(db())).toEqual([projected]);
    expect(await countVersions(db(), projected)).toBe(1);

    await ingestAt(db(), '2026-04-24T12:00:00Z', [OTHER]);
    const [moved] = await rowsOf(db());
    expect(moved?.id).toBe(projected?.id);
    expect(moved?.date).toBe('2026-04-30');
    expect(await rowsOf(db(), '2026-04-24T11:00:00Z')).toEqual([projected]);

    await ingestAt(db(), '2026-04-24T13:00:00Z', [NAMED]);
    const [named] = await rowsOf(db());
    expect(named).toMatchObject({ id: projected?.id, date: '2026-04-28', projection: null });
  });

  test('sends no webhook for a projected date, and lists it as a change', async () => {
    await emptyStore(db());
    await ingestAt(db(), '2026-01-23T12:02:00Z', [LISTED, FILED]);
    const [projected] = await rowsOf(db());
    const securityId = projected?.securityId ?? '';
    const context = { db: db(), now: Date.parse('2026-03-01T12:00:00Z') };
    expect(await template.build(context, securityId)).toMatchObject({ date: '2026-01-22' });
    const changes = await db().query(
      `select kind from change_record where entity_id = $1 order by id`,
      [projected?.id ?? ''],
    );
    expect(changes).toEqual([{ kind: 'added' }]);
  });
});

async function countVersions(db: Db, event: EarningsEvent | undefined): Promise<number> {
  const rows = await db.query(`select 1 from earnings_event where id = $1`, [event?.id ?? '']);
  return rows.length;
}
