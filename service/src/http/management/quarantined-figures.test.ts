import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import {
  type Management,
  type Reply,
  startManagement,
} from '../../../test/support/management-server.ts';
import { emptyStore, memoryStore } from '../../../test/support/stores.ts';
import { misreadRelease } from '../../../test/support/misread-release.ts';
import { createIngest } from '../../ingest/ingest.ts';
import { createSourceResponse } from '../../providers/source-response.ts';
import { providers } from '../../providers/registry.gen.ts';
import type { Db } from '../../storage/db.ts';

const NOW = Date.UTC(2026, 10, 20, 15, 30);
const PATH = '/operator/v1/quarantine';

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
  const ingest = createIngest({ db, providers, clock: fakeClock(NOW), onCommit: () => undefined });
  for (const [index, { url, body, contentType }] of misreadRelease().entries()) {
    const at = NOW - 60_000 + index;
    await ingest(
      createSourceResponse({ url, status: 200, contentType, observedAt: at, text: body }),
    );
  }
});
afterAll(() => db.close());

function ask(path: string): Promise<Reply> {
  return management.call('GET', `${PATH}${path}`, { headers: operator.headers });
}

async function quarantinedId(): Promise<string> {
  const rows = (await ask('?reason=year-ago-differs')).json['rows'] as { id: string }[];
  expect(rows).toHaveLength(1);
  return rows[0]?.id ?? '';
}

async function servedRevenue(): Promise<unknown> {
  const rows = await db.query<{ revenue: string | null }>(
    `select revenue::text from earnings_event
      where known_to is null and fiscal_period_end = '2026-09-30'`,
  );
  return rows.map(({ revenue }) => revenue);
}

test('shows a quarantined figure in the archived document, as plain text', async () => {
  const { json } = await ask(`/${await quarantinedId()}`);
  expect(json).toMatchObject({
    reason: 'year-ago-differs',
    detail: expect.stringContaining('is 372900000, not 355000000') as string,
    document: {
      url: 'https://www.sec.gov/Archives/edgar/data/1900001/000190000126000001/ex991.htm',
      figure: 'revenue',
      value: '410200000',
      row: 'Revenue',
      column: 'Three Months Ended September 30, 2026',
    },
  });
  const { excerpt } = json['document'] as { excerpt: { text: string; highlight: unknown }[][] };
  expect(
    excerpt.slice(2, 4).map((line) => line.map(({ text, highlight }) => [text, highlight])),
  ).toEqual([
    [
      ['Revenue', null],
      ['$410,200', { start: 0, end: 8 }],
      ['$372,900', null],
    ],
    [
      ['Cost of revenue <b>net</b>', null],
      ['250,100', null],
      ['231,000', null],
    ],
  ]);
});

test('serves the figure with its cell once an operator accepts it', async () => {
  const id = await quarantinedId();
  expect(await servedRevenue()).toEqual([null]);
  const body = { why: 'last year was restated' };
  const reply = await management.call('POST', `${PATH}/${id}/accept`, {
    headers: operator.headers,
    body,
  });
  expect(reply.status).toBe(204);
  expect(await servedRevenue()).toEqual(['410200000']);
  expect((await ask(`/${id}`)).json).toMatchObject({ state: 'accepted', decision: body });
});

test('still shows the labels of a cell if the archive has another document', async () => {
  const id = await quarantinedId();
  await db.query(
    `update source_record set fields = jsonb_set(fields, '{cell,offset}', '0')
      where id = $1`,
    [Number(id.slice('rec_'.length))],
  );
  expect((await ask(`/${id}`)).json['document']).toMatchObject({
    row: 'Revenue',
    excerpt: null,
  });
});
