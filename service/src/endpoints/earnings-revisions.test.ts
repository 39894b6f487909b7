import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parameterValues } from '../../test/support/parameter-values.ts';
import { eventOf } from '../../test/support/stored-earnings.ts';
import { memoryStore } from '../../test/support/stores.ts';
import { changedFields } from '../datasets/earnings/changes.ts';
import type { EarningsEvent } from '../datasets/earnings/row.ts';
import { earningsVersions } from '../datasets/earnings/store.ts';
import { replaceVersions } from '../datasets/versions/versioned-table.ts';
import { localDate, type LocalDate } from '../domain/local-date.ts';
import type { Db } from '../storage/db.ts';
import { endpoint } from './earnings-revisions.ts';

const check = Compile(endpoint.response);
const NOW = Date.parse('2026-11-20T15:00:00Z');
const [FIRST, MOVED, RENEWED, OUT, GONE] = [1, 2, 3, 4, 5].map((day) =>
  Date.parse(`2026-11-0${day}T12:00:00.250Z`),
) as [number, number, number, number, number];

const scheduled = eventOf('NRTH', { id: 'ern_a', markerAhead: false });
const moved: EarningsEvent = { ...scheduled, date: localDate('2026-11-24'), markerAhead: true };
const renewed: EarningsEvent = { ...moved, provenance: sourceOf('nasdaq') };
const reported: EarningsEvent = {
  ...renewed,
  dateStatus: 'reported',
  eps: '-0.25',
  updatedAt: OUT,
};
let db: Db;

beforeAll(async () => {
  db = await memoryStore();
  await put([], [scheduled], FIRST);
  await put([scheduled], [moved], MOVED);
  await put([moved], [renewed], RENEWED);
  await put([renewed], [reported], OUT);
  await put([], [eventOf('VLY', { id: 'ern_b' })], FIRST);
});

afterAll(() => db.close());

test('returns every version of a report, newest first, each valid until the next one', async () => {
  const { body } = await revisionsOf('ern_a');
  expect(check.Check(body)).toBe(true);
  expect(body.map(({ knownFrom, knownTo }) => [knownFrom, knownTo])).toEqual([
    ['2026-11-04T12:00:00.250Z', null],
    ['2026-11-03T12:00:00.250Z', '2026-11-04T12:00:00.250Z'],
    ['2026-11-02T12:00:00.250Z', '2026-11-03T12:00:00.250Z'],
    ['2026-11-01T12:00:00.250Z', '2026-11-02T12:00:00.250Z'],
  ]);
});

test('lists the fields of a version that differ from the previous version, except hidden fields', async () => {
  const { body } = await revisionsOf('ern_a');
  expect(body.map((revision) => revision.changedFields)).toEqual([
    ['eps', 'dateStatus'],
    [],
    ['date'],
    expect.arrayContaining(['date', 'time', 'epsEstimate', 'symbol', 'fiscalPeriodEnd']),
  ]);
  const changedNames = body.flatMap((revision) => revision.changedFields);
  expect(changedNames).not.toContain('securityId');
  expect(changedNames).not.toContain('markerAhead');
});

test('returns the fields and the surprise of a company report in each version, but no market capitalization', async () => {
  const [newest, , , first] = (await revisionsOf('ern_a')).body;
  expect(newest?.row).toMatchObject({
    id: 'ern_a',
    date: '2026-11-24',
    eps: -0.25,
    epsSurprise: -1.45,
    epsOutcome: 'miss',
  });
  expect(first?.row).toMatchObject({ date: '2026-11-20', eps: null, epsOutcome: null });
  expect(newest?.row).not.toHaveProperty('marketCap');
});

test('keeps the versions of a removed report without marking any of them as current', async () => {
  await put([], [eventOf('ZED', { id: 'ern_z' })], FIRST);
  await put([eventOf('ZED', { id: 'ern_z' })], [], GONE);
  const { body } = await revisionsOf('ern_z');
  expect(body.map(({ knownTo }) => knownTo)).toEqual(['2026-11-05T12:00:00.250Z']);
});

test('returns not found for the versions of an unknown report ID', async () => {
  const context = { db, now: NOW, historyFrom: null };
  const response = await endpoint.handle(parameterValues({ id: 'ern_none' }), context);
  expect(response).toMatchObject({ kind: 'not-found' });
});

test("hides the versions of a report from before the plan's history, and reports that it did so", async () => {
  const beyond = await revisionsOf('ern_a', localDate('2026-11-25'));
  expect(beyond).toMatchObject({ body: [], historyLimited: true });
  const within = await revisionsOf('ern_a', localDate('2026-11-24'));
  expect(within.body).toHaveLength(4);
  expect(within.historyLimited).toBe(false);
});

test('invalidates the cached versions of a report after a new version', () => {
  expect(endpoint.topics(parameterValues({ id: 'ern_a' }), NOW)).toEqual(['earnings:event:ern_a']);
});

test('has a revisions example that matches the schema', () => {
  expect(check.Check(endpoint.example)).toBe(true);
});

interface Revision {
  knownFrom: string;
  knownTo: string | null;
  changedFields: string[];
  row: Record<string, unknown>;
}

async function revisionsOf(id: string, historyFrom: LocalDate | null = null) {
  const context = { db, now: NOW, historyFrom };
  const response = await endpoint.handle(parameterValues({ id }), context);
  if (response.kind !== 'body') throw new Error(`unexpected response: ${response.kind}`);
  return { ...response, body: response.body as Revision[] };
}

function put(
  before: readonly EarningsEvent[],
  after: readonly EarningsEvent[],
  at: number,
): Promise<unknown> {
  const parts = { before, after, changed: changedFields };
  return db.transaction((tx) => replaceVersions(earningsVersions, tx, parts, at));
}

function sourceOf(provider: string): EarningsEvent['provenance'] {
  return { date: { provider, feed: 'calendar', seenAt: FIRST } };
}
