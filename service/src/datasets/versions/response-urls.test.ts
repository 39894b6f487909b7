import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import type { Db, Queryable, SqlValue } from '../../storage/db.ts';
import { archiveResponse, compressBody } from '../responses/store.ts';
import { recordRows } from '../source-records/record-rows.ts';
import { loadResponseUrls } from './response-urls.ts';

const SEEN_AT = Date.parse('2026-11-01T12:00:00.123Z');
const SOURCE = { provider: 'nasdaq', feed: 'calendar', seenAt: SEEN_AT };

onEachEngine((db) => {
  test("finds the URL of a feed's response at an instant", async () => {
    await archive(db(), 'https://data.example/a', ['AAA']);
    await archive(db(), 'https://data.example/later', ['AAA'], SEEN_AT + 1);
    expect(await urlsOf(db(), ['AAA', 'BBB'])).toEqual([
      'https://data.example/a',
      'https://data.example/a',
    ]);
  });

  test('chooses the response that contains the row if a feed has several at one instant', async () => {
    await archive(db(), 'https://data.example/a', ['AAA']);
    await archive(db(), 'https://data.example/b', ['BBB']);
    expect(await urlsOf(db(), ['AAA', 'BBB'])).toEqual([
      'https://data.example/a',
      'https://data.example/b',
    ]);
  });

  test('chooses the response archived first if several contain the row, no matter what is archived later', async () => {
    await archive(db(), 'https://data.example/first', ['AAA']);
    const before = await urlsOf(db(), ['AAA']);
    await archive(db(), 'https://data.example/again', ['AAA'], SEEN_AT, 'another word');
    await archive(db(), 'https://data.example/else', ['CCC']);
    expect(before).toEqual(['https://data.example/first']);
    expect(await urlsOf(db(), ['AAA'])).toEqual(before);
  });

  test('looks each source up once per entity, however many fields and rows share it, without reading all records of the feed', async () => {
    await archive(db(), 'https://data.example/a', ['AAA']);
    await archive(db(), 'https://data.example/b', ['BBB']);
    const calls: { text: string; params: readonly SqlValue[] }[] = [];
    const watched: Queryable = {
      query: (text, params = []) => {
        calls.push({ text, params });
        return db().query(text, params);
      },
    };
    const provenance = { eps: SOURCE, revenue: SOURCE, date: SOURCE };
    const rows = [{ provenance }, { provenance }, { provenance }];
    await loadResponseUrls(watched, 'earnings', rows, (numbers) =>
      Promise.resolve(numbers.map(() => ['AAA', 'CIK1'])),
    );
    const { text, params } = calls.at(-1) ?? { text: '', params: [] };
    expect(params.map((column) => (column as string[]).length)).toEqual([2, 2, 2, 2, 2]);
    const plan = await db().query(`explain ${text}`, params);
    expect(JSON.stringify(plan)).not.toContain('source_record_by_day');
  });

  test('returns no URL for a source without an archived response', async () => {
    expect(await urlsOf(db(), ['AAA'])).toEqual([null]);
  });
});

async function archive(
  db: Db,
  url: string,
  entityKeys: readonly string[],
  observedAt = SEEN_AT,
  text = 'a word',
): Promise<void> {
  const body = await compressBody(url);
  const { provider, feed } = SOURCE;
  await db.transaction(async (tx) => {
    const answer = { provider, feed, url, status: 200, contentType: 'text/plain', observedAt };
    const archived = { ...answer, text: url, outcome: 'ingested', reason: null } as const;
    const responseId = await archiveResponse(tx, archived, body, SEEN_AT);
    const rows = entityKeys.map((entityKey) => ({
      dataset: 'earnings',
      entityKey,
      provider,
      feed,
      naturalKey: '2026-11-20',
      fields: { word: text },
    }));
    await recordRows(tx, rows, observedAt, responseId);
  });
}

async function urlsOf(db: Db, entityKeys: readonly string[]): Promise<(string | null)[]> {
  const rows = entityKeys.map(() => ({ provenance: { eps: SOURCE } }));
  const urlOf = await loadResponseUrls(db, 'earnings', rows, (numbers) =>
    Promise.resolve(numbers.map((row) => [entityKeys[row] ?? ''])),
  );
  return entityKeys.map((_, row) => urlOf(SOURCE, row));
}
