import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import type { Db } from '../../storage/db.ts';
import { archiveResponse, type ArchivedResponse, compressBody } from './store.ts';

onEachEngine((db) => {
  test('archives a response with its exact body bytes', async () => {
    const text = JSON.stringify({ name: 'Grüße 😀', rows: Array(500).fill('same') });
    await archive(db(), { text });
    const [body] = await db().query<{ gzip: Uint8Array; size_bytes: number }>(
      'select gzip, size_bytes from raw_body',
    );
    expect(gunzipSync(body?.gzip ?? '').toString()).toBe(text);
    expect(body?.size_bytes).toBe(Buffer.byteLength(text));
    expect(body?.gzip.length).toBeLessThan(text.length / 4);
  });

  test('archives a repeated response once, with its latest outcome', async () => {
    const first = await archive(db(), { outcome: 'rejected', reason: 'not-json' });
    expect(await archive(db(), { outcome: 'ingested', reason: null })).toBe(first);
    expect(await db().query('select outcome, reason from raw_answer')).toEqual([
      { outcome: 'ingested', reason: null },
    ]);
  });

  test('archives a shared body once for separate responses', async () => {
    const ids = [
      await archive(db(), { observedAt: 10 }),
      await archive(db(), { observedAt: 20 }),
      await archive(db(), { observedAt: 20, text: 'other' }),
    ];
    expect(new Set(ids).size).toBe(3);
    expect(await db().query('select count(*)::int4 as n from raw_body')).toEqual([{ n: 2 }]);
  });

  test('replaces characters in a URL or content type that the database cannot store', async () => {
    await archive(db(), { url: 'https://data.example/\0', contentType: 'text/\uD800' });
    expect(await db().query('select url, content_type from raw_answer')).toEqual([
      { url: 'https://data.example/\uFFFD', content_type: 'text/\uFFFD' },
    ]);
  });
});

async function archive(db: Db, change: Partial<ArchivedResponse>): Promise<number> {
  const answer: ArchivedResponse = {
    provider: 'nasdaq',
    feed: 'screener',
    url: 'https://data.example/x',
    status: 200,
    contentType: 'application/json',
    observedAt: 10,
    text: '{}',
    outcome: 'ingested',
    reason: null,
    ...change,
  };
  const body = await compressBody(answer.text);
  return db.transaction((tx) => archiveResponse(tx, answer, body, 30));
}
