import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { loadFilingDelays } from './delays.ts';
import {
  deleteOldFilings,
  finishFiling,
  loadOpenFilings,
  recordFilings,
  type SeenFiling,
} from './store.ts';

const SECOND_MS = 1000;
const ACCEPTED = Date.parse('2026-11-19T21:05:00Z');
const DAY_MS = 86_400_000;

function filing(number: number, more: Partial<SeenFiling> = {}): SeenFiling {
  return {
    accession: `0001900001-26-${String(number).padStart(6, '0')}`,
    cik: '0001900001',
    form: '8-K',
    items: ['2.02', '9.01'],
    acceptedAt: ACCEPTED,
    seenAt: ACCEPTED + number * SECOND_MS,
    isLive: true,
    isOpen: true,
    ...more,
  };
}

onEachEngine((db) => {
  test('records each filing once and keeps those whose documents are to be read', async () => {
    const unknown = filing(2, { items: null, acceptedAt: null, isLive: false });
    const [open, done] = [filing(1), filing(3, { items: [], isOpen: false })];
    expect(await recordFilings(db(), [open, unknown])).toEqual([open, unknown]);
    expect(await recordFilings(db(), [open, done])).toEqual([done]);
    const loaded = await loadOpenFilings(db());
    expect(loaded.toSorted((a, b) => a.seenAt - b.seenAt)).toEqual([open, unknown]);
    const { accession } = unknown;
    const read = { items: ['2.02'], acceptedAt: ACCEPTED, mayServeAt: null };
    await finishFiling(db(), { accession, state: 'done', ...read });
    expect(await loadOpenFilings(db())).toEqual([open]);
    await deleteOldFilings(db(), ACCEPTED + 2 * SECOND_MS);
    expect(await recordFilings(db(), [open, unknown, done])).toEqual([open]);
  });

  test('measures the delays of live filings with results', async () => {
    const live = Array.from({ length: 21 }, (_, number) => filing(number));
    const others = [filing(100, { isLive: false }), filing(101), filing(102, { acceptedAt: null })];
    const old = filing(103, { acceptedAt: ACCEPTED - 91 * DAY_MS, seenAt: ACCEPTED - 91 * DAY_MS });
    await recordFilings(db(), [...live, ...others, old]);
    for (const { accession, seenAt } of [...live, ...others.slice(0, 1), old]) {
      await db().query(
        `update filing set served_at = to_timestamp($2 / 1000.0) where accession = $1`,
        [accession, seenAt + 2 * SECOND_MS],
      );
    }
    await db().query(`update filing set posted_at = served_at + interval '1 second'
                       where accession = '${live[20]?.accession}'`);
    const delays = {
      filings: 21,
      seen: { p50: 10, p95: 19 },
      served: { p50: 12, p95: 21 },
      posted: { p50: 23, p95: 23 },
    };
    const now = ACCEPTED + DAY_MS;
    expect(await loadFilingDelays(db(), now)).toEqual({ last200: delays, days90: delays });
  });

  test('has no delays without filings', async () => {
    const none = { p50: null, p95: null };
    const { last200 } = await loadFilingDelays(db(), ACCEPTED);
    expect(last200).toEqual({ filings: 0, seen: none, served: none, posted: none });
  });
});
