import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { memoryStore } from '../../test/support/stores.ts';
import { loadEarningsOfSecurities } from '../datasets/earnings/store.ts';
import { loadSecuritiesBySymbol } from '../datasets/securities/store.ts';
import { CHANGEABLE_FIELDS } from '../providers/sandbox/change-report.ts';
import { createSandbox } from '../providers/sandbox/index.ts';
import { SANDBOX_DEFAULTS } from '../providers/sandbox/settings.ts';
import type { Db } from '../storage/db.ts';
import { changeSandbox } from './change-sandbox.ts';
import { createIngest } from './ingest.ts';

const OPTIONS = { ...SANDBOX_DEFAULTS, companies: 20 };
const clock = fakeClock(Date.parse('2026-11-16T15:00:00Z'));
const onCommit = () => undefined;

let db: Db;
let symbol: string;

beforeAll(async () => {
  db = await memoryStore();
  const sandbox = createSandbox(OPTIONS);
  const ingest = createIngest({ db, clock, onCommit, providers: [sandbox] });
  for (const response of sandbox.generateResponses?.(null, clock.now()) ?? []) {
    const isCurrent = response.url.includes('/calendar?') && response.observedAt === clock.now();
    if (response.url.includes('/companies?') || isCurrent) await ingest(response);
    // The economic calendar follows the current reports.
    if (response.url.includes('/economic?')) break;
  }
  const [row] = await db.query<{ symbol: string }>('select symbol from security limit 1');
  symbol = row?.symbol ?? '';
});
afterAll(() => db.close());

async function reports() {
  const [security] = await loadSecuritiesBySymbol(db, [symbol]);
  return loadEarningsOfSecurities(db, [security?.id ?? '']);
}

test.each(CHANGEABLE_FIELDS)('changes %s of the next report, and nothing else', async (field) => {
  const before = await reports();
  await clock.advance(1_000);
  const change = await changeSandbox({ db, clock, onCommit }, OPTIONS, { symbol, field });
  const [first] = before.toSorted((a, b) => (a.date < b.date ? -1 : 1));
  expect(change).toMatchObject({ reportId: first?.id, before: first?.[field] });
  expect(change?.after).not.toBe(change?.before);
  const visible = ['date', 'time', 'epsEstimate', 'revenueEstimate', 'eps'] as const;
  for (const report of await reports()) {
    const previous = before.find(({ id }) => id === report.id);
    const differences = visible.filter((name) => report[name] !== previous?.[name]);
    expect(differences).toEqual(report.id === first?.id ? [field] : []);
  }
});

test('changes a date each time, within six trading days', async () => {
  const dates: unknown[] = [];
  for (let n = 0; n < 12; n += 1) {
    await clock.advance(1_000);
    const request = { symbol, field: 'date' } as const;
    const change = await changeSandbox({ db, clock, onCommit }, OPTIONS, request);
    expect(change?.before).not.toBe(change?.after);
    dates.push(change?.after);
  }
  expect(new Set(dates).size).toBe(6);
});

test('changes nothing for a company that the market does not have', async () => {
  const request = { symbol: 'NONE', field: 'date' } as const;
  expect(await changeSandbox({ db, clock, onCommit }, OPTIONS, request)).toBeNull();
});
