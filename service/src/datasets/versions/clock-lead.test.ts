import { expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { calendarUrl, envelope, upcomingRow } from '../../../test/support/write-recording.ts';
import { createIngest } from '../../ingest/ingest.ts';
import type { Instant } from '../../platform/instant.ts';
import { providers } from '../../providers/registry.gen.ts';
import { createSourceResponse } from '../../providers/source-response.ts';
import type { Db } from '../../storage/db.ts';
import { loadClockLeadMs, moveFutureBack } from './clock-lead.ts';

const START = Date.parse('2026-11-19T17:00:00Z');
const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

/** Ingests a calendar with one consensus, fetched at that instant by the clock of the process. */
async function ingestEstimate(db: Db, at: Instant, estimate: string): Promise<void> {
  const ingest = createIngest({ db, providers, clock: fakeClock(at), onCommit: () => undefined });
  const text = JSON.stringify(envelope([upcomingRow('MERD', { epsForecast: estimate })]));
  const url = calendarUrl('2026-11-30');
  const contentType = 'application/json';
  await ingest(createSourceResponse({ url, status: 200, contentType, observedAt: at, text }));
}

/** Returns the consensus as of an instant, or the current one. */
async function estimate(db: Db, at: Instant | null = null): Promise<string | undefined> {
  const [row] = await db.query<{ estimate: string }>(
    `select eps_estimate::text as estimate from earnings_event
      where case when $1::float8 is null then known_to is null
                 else known_from <= to_timestamp($1 / 1000.0)
                      and (known_to is null or known_to > to_timestamp($1 / 1000.0)) end`,
    [at],
  );
  return row?.estimate;
}

onEachEngine((db) => {
  test('lets new data replace what was recorded while the clock was ahead', async () => {
    await ingestEstimate(db(), START, '$1.20');
    await ingestEstimate(db(), START + YEAR_MS, '$1.30');
    await ingestEstimate(db(), START + YEAR_MS + 60_000, '$1.35');
    await ingestEstimate(db(), START + HOUR_MS, '$1.40');
    expect(await estimate(db())).toBe('1.35');
    const now = START + 2 * HOUR_MS;
    expect(await loadClockLeadMs(db(), now)).toBeGreaterThan(YEAR_MS - 3 * HOUR_MS);
    expect(await db().transaction((tx) => moveFutureBack(tx, now))).toBeGreaterThan(4);
    expect(await loadClockLeadMs(db(), now)).toBe(null);
    expect(await estimate(db(), START + HOUR_MS / 2)).toBe('1.2');
    expect(await estimate(db(), now)).toBe('1.35');
    await ingestEstimate(db(), now + HOUR_MS, '$1.50');
    expect(await estimate(db())).toBe('1.5');
    expect(await estimate(db(), now + HOUR_MS / 2)).toBe('1.35');
    expect(
      await db().query(`select 1 as id from earnings_event where known_to < known_from`),
    ).toEqual([]);
  });

  test('changes nothing in a store whose clock was never ahead', async () => {
    await ingestEstimate(db(), START, '$1.20');
    await ingestEstimate(db(), START + HOUR_MS, '$1.30');
    expect(await loadClockLeadMs(db(), START + HOUR_MS)).toBe(null);
    expect(await db().transaction((tx) => moveFutureBack(tx, START + HOUR_MS))).toBe(0);
    expect(await estimate(db(), START)).toBe('1.2');
  });
});
