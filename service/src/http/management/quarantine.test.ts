import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  quarantineDividend,
  ingestDividends,
  ingestFile,
} from '../../../test/support/operator-files.ts';
import {
  type Management,
  type Reply,
  startManagement,
} from '../../../test/support/management-server.ts';
import { emptyStore, memoryStore } from '../../../test/support/stores.ts';
import type { Db } from '../../storage/db.ts';

const PATH = '/operator/v1/quarantine';
const NOW = Date.UTC(2026, 10, 20, 15, 30);
const HOUR_MS = 3_600_000;

let db: Db;
let management: Management;
let operator: Awaited<ReturnType<Management['person']>>;

beforeAll(async () => {
  db = await memoryStore();
});
beforeEach(async () => {
  await emptyStore(db);
  management = await startManagement(db);
  operator = await management.person('operator', null);
});
afterAll(() => db.close());

function ask(path = ''): Promise<Reply> {
  return management.call('GET', `${PATH}${path}`, { headers: operator.headers });
}

function decide(id: string, verb: 'accept' | 'reject', why = 'seen elsewhere'): Promise<Reply> {
  const { headers } = operator;
  return management.call('POST', `${PATH}/${id}/${verb}`, { headers, body: { why } });
}

async function idsOf(query: string): Promise<unknown[]> {
  return (await ask(query)).json['rows'] as unknown[];
}

async function standing(symbol: string): Promise<unknown[]> {
  return db.query(
    `select ex_date, amount, payment_date from dividend where symbol = $1 and known_to is null`,
    [symbol],
  );
}

/** Ingests one response that contains the same report twice, with different estimates. */
function takeTwice(at: number): Promise<unknown> {
  const lines = ['symbol,date,fiscalPeriodEnd,epsEstimate'];
  for (const estimate of ['1.25', '1.35']) lines.push(`QPR,2026-12-01,2026-09-30,${estimate}`);
  return ingestFile(db, { name: 'earnings.csv', lines, at });
}

async function estimateOf(symbol: string): Promise<unknown> {
  const [event] = await db.query<{ eps_estimate: string }>(
    'select eps_estimate from earnings_event where symbol = $1 and known_to is null',
    [symbol],
  );
  return event?.eps_estimate;
}

test("shows a quarantined row with its rule, the source's response and earlier observations", async () => {
  await ingestDividends(
    db,
    ['QPR,2026-11-24,2026-11-24,2026-12-02,2026-10-29,0.25,USD,cash'],
    NOW - HOUR_MS,
  );
  const id = await quarantineDividend(db, 'QPR', NOW);
  const { json } = await ask(`/${id}`);
  expect(json).toMatchObject({
    id,
    state: 'open',
    dataset: 'dividends',
    provider: 'files',
    subject: 'QPR',
    reason: 'paid-before-ex-date',
    detail: 'paid on 2026-11-02, ex on 2026-11-24',
    explanation: expect.stringContaining('declaration, ex-date') as string,
    row: { paymentDate: '2026-11-02' },
    answer: {
      url: 'file:///import/dividends.csv',
      observedAt: '2026-11-20T15:30:00Z',
    },
    others: [
      {
        row: { paymentDate: '2026-12-02' },
        at: '2026-11-20T14:30:00Z',
      },
    ],
    decision: null,
    isReadable: true,
  });
  expect(await standing('QPR')).toMatchObject([{ payment_date: '2026-12-02' }]);
});

test('counts unreviewed quarantined rows by reason', async () => {
  const id = await quarantineDividend(db, 'QPR', NOW);
  await quarantineDividend(db, 'REED', NOW + HOUR_MS);
  await ingestDividends(db, ['OAK,2026-12-02,,,,-1,,'], NOW + 2 * HOUR_MS);
  const { json } = await ask('/counts');
  const of = { dataset: 'dividends', provider: 'files' };
  expect(json).toMatchObject({
    open: 3,
    counts: [
      { ...of, reason: 'paid-before-ex-date', rows: 2 },
      { ...of, rows: 1 },
    ],
  });
  const rows = (await ask()).json['rows'] as { id: string }[];
  const unreadable = rows.find((row) => row.id.startsWith('row_'))?.id ?? '';
  expect((await ask(`/${unreadable}`)).json).toMatchObject({ isReadable: false });
  for (const decided of [id, unreadable]) await decide(decided, 'reject');
  expect((await ask('/counts')).json).toMatchObject({ open: 1 });
  expect(await idsOf('?state=rejected')).toMatchObject([{ id }, { id: unreadable }]);
});

test('turns an accepted row into a fact and does not quarantine that row again', async () => {
  const id = await quarantineDividend(db, 'QPR', NOW);
  expect(await standing('QPR')).toEqual([]);
  expect((await decide(id, 'accept', ' the company says so ')).status).toBe(204);
  expect(await standing('QPR')).toMatchObject([{ payment_date: '2026-11-02' }]);
  await ingestDividends(
    db,
    ['QPR,2026-11-24,2026-11-24,2026-11-02,2026-10-29,0.25,USD,cash'],
    NOW + HOUR_MS,
  );
  expect(await idsOf('')).toEqual([]);
  expect(await standing('QPR')).toHaveLength(1);
  expect(await idsOf('?state=accepted')).toMatchObject([
    { id, state: 'accepted', decision: { why: 'the company says so', by: operator.email } },
  ]);
  const changes = await db.query(
    `select kind, symbol from change_record where dataset = 'dividends'`,
  );
  expect(changes).toEqual([{ kind: 'added', symbol: 'QPR' }]);
  const audit = await management.call('GET', '/operator/v1/audit', { headers: operator.headers });
  expect((audit.json['events'] as unknown[]).slice(0, 1)).toMatchObject([
    { act: 'quarantine.accept', subject: id, details: { why: 'the company says so' } },
  ]);
  const again = await decide(id, 'accept');
  expect([again.status, again.json.code]).toEqual([409, 'conflict']);
});

test('undoes the acceptance of a quarantined row when the row is rejected', async () => {
  const id = await quarantineDividend(db, 'QPR', NOW);
  await decide(id, 'accept');
  expect((await decide(id, 'reject')).status).toBe(204);
  expect(await standing('QPR')).toEqual([]);
  expect(await idsOf('?state=rejected')).toMatchObject([{ id, reason: 'paid-before-ex-date' }]);
});

test('does not reopen a rejected row when the source repeats it', async () => {
  const id = await quarantineDividend(db, 'QPR', NOW);
  expect((await decide(id, 'reject')).status).toBe(204);
  await quarantineDividend(db, 'QPR', NOW + HOUR_MS);
  expect(await idsOf('')).toEqual([]);
  expect(await standing('QPR')).toEqual([]);
});

test('replaces the current row with a conflicting row once it is accepted, even when the source repeats both', async () => {
  await takeTwice(NOW);
  const [row] = (await idsOf('')) as { id: string }[];
  expect(row).toMatchObject({ reason: 'conflicting-duplicate', subject: 'QPR' });
  expect(await estimateOf('QPR')).toBe('1.25');
  expect((await decide(row?.id ?? '', 'accept')).status).toBe(204);
  expect(await estimateOf('QPR')).toBe('1.35');
  await takeTwice(NOW + HOUR_MS);
  expect(await estimateOf('QPR')).toBe('1.35');
  expect(await idsOf('')).toMatchObject([{ reason: 'overruled-row' }]);
  const back = await decide(row?.id ?? '', 'reject');
  expect([back.status, back.json.code]).toEqual([409, 'conflict']);
});

test('refuses to accept an unparsable quarantined row, and changes nothing', async () => {
  await ingestDividends(db, ['QPR,2026-12-01,,,,-1,USD,cash'], NOW);
  const [row] = (await idsOf('')) as { id: string }[];
  const refusal = await decide(row?.id ?? '', 'accept');
  expect(refusal.json).toMatchObject({ status: 409, code: 'conflict' });
  expect(refusal.json['detail']).toContain('cannot be parsed');
  expect(await idsOf('')).toMatchObject([{ id: row?.id, state: 'open' }]);
  const acts = await db.query(`select 1 from audit_event where act like 'quarantine%'`);
  expect(acts).toEqual([]);
  expect((await decide(row?.id ?? '', 'reject')).status).toBe(204);
  await ingestDividends(db, ['QPR,2026-12-01,,,,-1,USD,cash'], NOW + HOUR_MS);
  expect(await idsOf('')).toEqual([]);
});

test('refuses to accept a quarantined row that no fact can include, and returns the reason', async () => {
  const fields = {
    kind: 'filing',
    cik: '0000000001',
    accession: 'a',
    form: '8-K',
    items: ['2.02'],
    filingDate: '2026-11-19',
    reportDate: null,
    acceptance: { certain: NOW },
    sourceUrl: null,
  };
  await db.query(
    `insert into source_record (dataset, subject, provider, feed, natural_key, fields_sha256, fields)
     values ('earnings', 'CIK0000000001', 'sec', 'submissions', 'k', 'a', $1::jsonb)`,
    [JSON.stringify(fields)],
  );
  await ingestDividends(db, ['QPR,2026-12-01,2026-12-01,2026-12-10,,1,USD,cash'], NOW);
  await db.query(
    `insert into sighting (record_id, observed_at, answer_id)
     select r.id, now(), a.id from source_record r, raw_answer a where r.dataset = 'earnings'`,
  );
  await db.query(
    `insert into held_record (record_id, dataset, owner, reason, detail)
     select id, 'earnings', '0000000001', 'no-listed-symbol', 'no list names a symbol of this filer'
       from source_record where dataset = 'earnings'`,
  );
  const [row] = (await idsOf('')) as { id: string }[];
  const refusal = await decide(row?.id ?? '', 'accept');
  expect(refusal.json).toMatchObject({ status: 409 });
  expect(refusal.json['detail']).toContain('no list names a symbol of this filer');
  expect(await idsOf('')).toMatchObject([{ id: row?.id, state: 'open' }]);
});

test('pages through quarantined rows of both kinds, filtered by source, data set and rule', async () => {
  const first = await quarantineDividend(db, 'QPR', NOW);
  const second = await quarantineDividend(db, 'REED', NOW);
  await ingestDividends(db, ['PIKE,,,,,0.25,,', 'ALDR,2026-12-02,,,,-1,,'], NOW);
  const seen: unknown[] = [];
  let next: string | null = null;
  do {
    const page = await ask(`?limit=1${next === null ? '' : `&before=${next}`}`);
    seen.push(...(page.json['rows'] as { id: string }[]).map(({ id }) => id));
    next = page.json['next'] as string | null;
  } while (next !== null);
  expect(seen.slice(0, 2)).toEqual([second, first]);
  expect(seen.slice(2)).toEqual([expect.stringMatching(/^row_/), expect.stringMatching(/^row_/)]);
  expect(await idsOf('?reason=paid-before-ex-date&provider=files')).toHaveLength(2);
  expect(await idsOf('?provider=nasdaq')).toEqual([]);
  expect(await idsOf('?dataset=earnings')).toEqual([]);
  const bad = await ask('?before=rec_0');
  expect(bad.json).toMatchObject({ code: 'invalid-parameter', parameter: 'before' });
  for (const id of ['rec_999999', 'row_999999', 'nothing']) {
    expect((await ask(`/${id}`)).status).toBe(404);
    expect((await decide(id, 'accept')).status).toBe(404);
  }
});
