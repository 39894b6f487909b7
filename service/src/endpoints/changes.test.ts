import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parameterValues } from '../../test/support/parameter-values.ts';
import { eventOf } from '../../test/support/stored-earnings.ts';
import { emptyStore, memoryStore } from '../../test/support/stores.ts';
import { changeOf } from '../datasets/changes/change-of.ts';
import { writeChanges } from '../datasets/changes/store.ts';
import type { Change } from '../datasets/dataset.ts';
import { changedFields, earningsChangeSource } from '../datasets/earnings/changes.ts';
import type { EarningsEvent } from '../datasets/earnings/row.ts';
import { localDate, type LocalDate } from '../domain/local-date.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Db } from '../storage/db.ts';
import { endpoint } from './changes.ts';
import type { ChangeRow } from './rows/change-row.ts';

const check = Compile(endpoint.response);
const NOW = Date.parse('2026-11-20T15:00:00Z');
const START = 'chg_000000000000';
let db: Db;

beforeAll(async () => {
  db = await memoryStore();
});
beforeEach(() => emptyStore(db));
afterAll(() => db.close());

test('shows the values before and after a change in the format that the lists use', async () => {
  const before = eventOf('NRTH', { id: 'ern_a', revenueEstimate: '790000000.4' });
  const after: EarningsEvent = {
    ...before,
    date: localDate('2026-11-24'),
    epsEstimate: '1.2345',
    revenueEstimate: null,
    reportedAt: NOW,
    markerAhead: true,
    updatedAt: NOW - 1_000,
  };
  await write(earningsChange(before, after), NOW);
  const { body } = await ask({ since: START });
  expect(check.Check(body)).toBe(true);
  expect(body).toEqual([
    {
      id: 'chg_000000000001',
      at: '2026-11-20T15:00:00Z',
      observedAt: '2026-11-20T14:59:59Z',
      dataset: 'earnings',
      kind: 'changed',
      eventId: 'ern_a',
      symbol: 'NRTH',
      changedFields: ['date', 'epsEstimate', 'revenueEstimate', 'reportedAt'],
      fields: {
        date: { from: '2026-11-20', to: '2026-11-24' },
        epsEstimate: { from: 1.2, to: 1.2345 },
        revenueEstimate: { from: 790000000, to: null },
        reportedAt: { from: null, to: '2026-11-20T15:00:00Z' },
      },
    },
  ]);
});

test('returns null values before an addition and after a removal', async () => {
  const event = eventOf('NRTH', { id: 'ern_a' });
  await write(earningsChange(null, event), NOW);
  await write(changeOf({ kind: 'removed', before: event }, earningsChangeSource), NOW);
  const [added, removed] = (await ask({ since: START })).body;
  expect(added).toMatchObject({ kind: 'added', fields: { date: { from: null } } });
  expect(removed).toMatchObject({ kind: 'removed', fields: { date: { to: null } } });
  expect(removed?.changedFields).toEqual(added?.changedFields);
});

test('returns a null symbol for a change to an event without a company', async () => {
  const change = { ...plain('us-cpi-yoy:2026-10'), dataset: 'economic-events', symbol: 'US' };
  await write([change, { ...plain('ipo_1'), dataset: 'ipos', symbol: '' }], NOW);
  expect((await ask({ since: START })).body.map(({ symbol }) => symbol)).toEqual([null, null]);
});

test('returns every change exactly once to a client that follows the pages and continues from the last ID', async () => {
  for (let i = 0; i < 7; i++) await write([plain(`ern_${i}`)], NOW + i);
  const ids: string[] = [];
  let since: string | null = formatInstant(NOW);
  while (since !== null) {
    const { body, next }: Page = await ask({ since, limit: 3 });
    ids.push(...body.map(({ eventId }) => eventId));
    expect(next).toBe(body.length === 3 && ids.length < 7 ? body.at(-1)?.id : null);
    since = next;
  }
  expect(ids).toEqual(Array.from({ length: 7 }, (_, i) => `ern_${i}`));
  expect((await ask({ since: 'chg_000000000007' })).body).toEqual([]);
  await write([plain('ern_new')], NOW + 9);
  const { body } = await ask({ since: 'chg_000000000007' });
  expect(body.map(({ eventId }) => eventId)).toEqual(['ern_new']);
});

test('returns no next page after a last page that is exactly full', async () => {
  await write([plain('ern_1'), plain('ern_2')], NOW);
  expect((await ask({ since: START, limit: 2 })).next).toBeNull();
});

test('allows caching only for pages of changes that have a next page', async () => {
  await write([plain('ern_1'), plain('ern_2')], NOW);
  expect((await ask({ since: START, limit: 1 })).maxAgeSeconds).toBe(3_600);
  expect((await ask({ since: START })).maxAgeSeconds).toBeUndefined();
  expect(endpoint.maxAgeSeconds(parameterValues({}), NOW)).toBe(0);
});

test.each([
  ['chg_000000000042', true],
  ['2026-11-20T00:00:00Z', true],
  ['2026-11-20T00:00:00.123-05:00', true],
  ['2026-11-20T00:00:00 05:00', true],
  ['2026-02-30T00:00:00Z', false],
  ['2026-11-20T99:00:00Z', false],
])('recognizes since=%j as valid: %s', (since, isRead) => {
  const [parameter] = endpoint.parameters;
  if (parameter?.kind !== 'id') throw new Error('since is no id');
  expect(parameter.isReadable?.(since)).toBe(isRead);
});

test("hides changes to reports and releases from before the plan's history, and reports that it did so", async () => {
  const oldEvent = eventOf('NRTH', { id: 'ern_old', date: localDate('2023-05-02') });
  const recent = eventOf('NRTH', { id: 'ern_new', date: localDate('2026-11-24') });
  await write(
    [...earningsChange(null, oldEvent), ...earningsChange(null, recent), plain('ern_undated')],
    NOW,
  );
  const context = { db, now: NOW, historyFrom: localDate('2024-11-20') };
  const limited = await endpoint.handle(parameterValues({ since: START }), context);
  if (limited.kind !== 'body') throw new Error(limited.kind);
  const ids = (limited.body as ChangeRow[]).map(({ eventId }) => eventId);
  // A change without a date may be older than the plan's history, so it is hidden.
  expect(ids).toEqual(['ern_new']);
  expect(limited.historyLimited).toBe(true);
  const wholeHistory = await ask({ since: START });
  expect(wholeHistory.body).toHaveLength(3);
});

test('skips hidden changes, so that an empty page always means that there are no more changes', async () => {
  const oldEvent = eventOf('NRTH', { id: 'ern_old', date: localDate('2023-05-02') });
  const recent = ['ern_a', 'ern_b', 'ern_c'].map((id) => eventOf('NRTH', { id }));
  const unseen = Array.from({ length: 5 }, () => earningsChange(null, oldEvent)).flat();
  for (const event of recent) await write([...unseen, ...earningsChange(null, event)], NOW);
  await write(unseen, NOW);
  const historyFrom = localDate('2024-11-20');
  const first = await ask({ since: START, limit: 2 }, historyFrom);
  expect(first).toMatchObject({ next: 'chg_000000000012', historyLimited: true });
  expect(first.body.map(({ eventId }) => eventId)).toEqual(['ern_a', 'ern_b']);
  const second = await ask({ since: first.next ?? '', limit: 2 }, historyFrom);
  expect(second).toMatchObject({ next: null, historyLimited: true });
  expect(second.body.map(({ eventId }) => eventId)).toEqual(['ern_c']);
  const rest = await ask({ since: 'chg_000000000018', limit: 2 }, historyFrom);
  expect(rest).toMatchObject({ body: [], next: null, historyLimited: true });
  const beside = await ask({ since: 'chg_000000000011', limit: 1 }, historyFrom);
  expect(beside).toMatchObject({ next: 'chg_000000000012', historyLimited: false });
});

test('invalidates the cached list of changes after any change', () => {
  expect(endpoint.topics(parameterValues({ since: START }), NOW)).toEqual(['changes']);
});

test('has a changes example that matches the schema', () => {
  expect(check.Check(endpoint.example)).toBe(true);
});

type Page = Awaited<ReturnType<typeof ask>>;

async function ask(
  parameters: Record<string, string | number>,
  historyFrom: LocalDate | null = null,
) {
  const context = { db, now: NOW, historyFrom };
  const response = await endpoint.handle(parameterValues({ limit: 1000, ...parameters }), context);
  if (response.kind !== 'body') throw new Error(`unexpected response: ${response.kind}`);
  const { body, next = null, ...rest } = response;
  return { ...rest, body: body as ChangeRow[], next };
}

function earningsChange(before: EarningsEvent | null, after: EarningsEvent): Change[] {
  const fields = changedFields(before, after);
  return changeOf({ kind: 'changed', before, after, changedFields: fields }, earningsChangeSource);
}

function plain(entityId: string): Change {
  return {
    dataset: 'earnings',
    entityId,
    symbol: 'NRTH',
    kind: 'changed',
    changedFields: ['eps'],
    fields: { eps: { from: null, to: '1.2' } },
    observedAt: NOW,
  };
}

function write(changes: readonly Change[], at: number): Promise<void> {
  return db.transaction((tx) => writeChanges(tx, changes, new Set(), at));
}
