import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { endpoints } from '../../src/endpoints/registry.gen.ts';
import { createIngest, type Ingest } from '../../src/ingest/ingest.ts';
import { seededRandom } from '../../src/platform/random.ts';
import { createSourceResponse } from '../../src/providers/source-response.ts';
import { SourceResponseError } from '../../src/providers/provider.ts';
import { providers } from '../../src/providers/registry.gen.ts';
import type { Db } from '../../src/storage/db.ts';
import { corrupt } from '../support/corruption.ts';
import { parameterValues } from '../support/parameter-values.ts';
import { type SampleResponse, loadSampleResponses } from '../support/providers/sample-responses.ts';
import { upcomingRow, calendarUrl, envelope } from '../support/write-recording.ts';
import { runSeed, runSize } from '../support/run-size.ts';
import { type ScriptedSource, startScriptedSource } from '../support/scripted-source.ts';
import { currentState } from '../support/store-state.ts';
import { memoryStore } from '../support/stores.ts';
import { findInvalidRows } from '../support/invalid-rows.ts';

vi.setConfig({ testTimeout: runSize({ slice: 240_000, whole: 14_400_000 }) });

const SEED = runSeed();
const DAMAGED = runSize({ slice: 40, whole: 2_000 });
const READERS = runSize({ slice: 1, whole: 1_000 });
const NOW = Date.parse('2026-11-20T15:00:00Z');
const samples = loadSampleResponses();

/** Fifty invalid response bodies, as text or bytes, with their response headers. */
const BODIES: readonly (readonly [string | Buffer, Record<string, string>?])[] = [
  '',
  ' ',
  '\n\n',
  '\0',
  '\0'.repeat(5e3),
  '﻿',
  '﻿﻿',
  '\u2028',
  'null',
  'true',
  '0',
  '-1',
  '1e999',
  'NaN',
  '[NaN]',
  'Infinity',
  'undefined',
  '""',
  '"text"',
  '"\\ud800"',
  '{',
  '}',
  '[',
  ']',
  '{}',
  '[]',
  '[[]]',
  '[null]',
  '{"data":',
  '{"data":{"rows":[{"symbol":"ME',
  '{"data":null}',
  '{"data":[]}',
  '{"data":{"rows":{}}}',
  '{"data":{"rows":[[[]]]}}',
  '{"__proto__":{"rows":[1]}}',
  '{"constructor":{"prototype":1}}',
  "{'data':1}",
  '{"a":1,}',
  '['.repeat(1e5),
  '{"a":'.repeat(5e4),
  `${'['.repeat(90)}${']'.repeat(90)}`,
  '<!DOCTYPE html><html><body>Just a moment</body></html>',
  '<?xml version="1.0"?><Error/>',
  'Too Many Requests',
  'date\n',
  ',,,\n,,,',
  '"unclosed',
  'BEGIN:VCALENDAR\nEND:VEVENT',
].map((text) => [text] as const);
const BYTES: readonly (readonly [string | Buffer, Record<string, string>?])[] = [
  [Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
  [Buffer.from(Array.from({ length: 4_096 }, (_, at) => (at * 151) % 256))],
  [Buffer.from('{"data":"\xed\xa0\x80"}', 'latin1')],
  [gzipSync(Buffer.alloc(300 * 1_024)), { 'content-encoding': 'gzip' }],
  [gzipSync('{}'), {}],
];

let db: Db;
let ingest: Ingest;
let source: ScriptedSource;

beforeAll(async () => {
  db = await memoryStore();
  source = await startScriptedSource();
  const { clock } = source;
  ingest = createIngest({ db, clock, providers, onCommit: () => undefined });
  const rows = envelope([upcomingRow('GOOD'), upcomingRow('FINE', { epsForecast: '$0.40' })]);
  const raw = { status: 200, contentType: 'application/json', observedAt: NOW };
  await ingest(
    createSourceResponse({ ...raw, url: calendarUrl('2026-11-23'), text: JSON.stringify(rows) }),
  );
});
afterAll(async () => {
  await source.close();
  await db.close();
});

test('leaves served data unchanged when the feeds of every provider fetch fifty invalid bodies', async () => {
  const bodies = [...BODIES, ...BYTES];
  expect(bodies.length).toBeGreaterThanOrEqual(50);
  const before = { facts: await facts(), served: await served() };
  expect(before.served).toContain('GOOD');
  const readers = providers.flatMap(({ name }) =>
    samples
      .filter(({ provider, raw }) => provider.name === name && raw.status === 200)
      .slice(0, READERS),
  );
  const outcomes = new Map<string, number>();
  for (const [at, [body, headers = {}]] of bodies.entries()) {
    source.script = [(response) => response.writeHead(200, headers).end(body)];
    const fetched = await source.fetch(`/${at}`);
    if (fetched.kind !== 'response') {
      outcomes.set(fetched.reason, 1 + (outcomes.get(fetched.reason) ?? 0));
      continue;
    }
    for (const { raw } of readers) {
      const { url, contentType, observedAt } = raw;
      const report = await ingest(
        createSourceResponse({
          ...fetched.response,
          url,
          contentType,
          observedAt: observedAt + at,
        }),
      );
      for (const { outcome, reason, rowsNew, rowsChanged } of report.datasets) {
        expect([rowsNew, rowsChanged], `${url} ${String(body).slice(0, 60)}`).toEqual([0, 0]);
        const result = `${outcome} ${reason ?? ''}`;
        outcomes.set(result, 1 + (outcomes.get(result) ?? 0));
      }
    }
  }
  console.log(JSON.stringify(Object.fromEntries(outcomes)));
  expect(outcomes.get('rejected unreadable')).toBeUndefined();
  expect(outcomes.get('rejected not-json')).toBeGreaterThan(20);
  expect({ facts: await facts(), served: await served() }).toEqual(before);
});

test(`stores only valid rows from ${DAMAGED} damaged responses, quarantines other rows with a reason, and leaves served data unchanged (seed ${SEED})`, async () => {
  const random = seededRandom(SEED);
  const texts = samples.map(({ raw }) => raw.text);
  const sound = samples.filter(isSound);
  const before = await served();
  let rowsSeenTotal = 0;
  for (let n = 0; n < DAMAGED; n += 1) {
    const { raw } = sound[n % sound.length] as SampleResponse;
    const text = corrupt(random, raw.text, texts);
    const observedAt = raw.observedAt + n * 1_000;
    const report = await ingest(createSourceResponse({ ...raw, text, observedAt })).catch(
      (cause: unknown) => {
        throw new Error(`${raw.url} (seed ${SEED})\n${text.slice(0, 4_000)}`, { cause });
      },
    );
    for (const { reason, rowsSeen } of report.datasets) {
      expect(reason, `${raw.url} (seed ${SEED})\n${text.slice(0, 4_000)}`).not.toBe('unreadable');
      rowsSeenTotal += rowsSeen;
    }
  }
  // Loads the reasons of all quarantined rows. Scans a small table.
  const reasons = await db.query<{ reason: string }>('select distinct reason from quarantined_row');
  expect(reasons.length).toBeGreaterThan(3);
  for (const { reason } of reasons) expect(reason).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  expect(rowsSeenTotal).toBeGreaterThan(DAMAGED);
  expect(await findInvalidRows(db)).toEqual([]);
  expect(await served()).toBe(before);
});

function isSound({ feed, raw }: SampleResponse): boolean {
  try {
    feed.parse(createSourceResponse(raw));
    return true;
  } catch (error) {
    if (error instanceof SourceResponseError) return false;
    throw error;
  }
}

/**
 * Returns the current state without the response archive, the quarantine and the listed days.
 * Listed days are excluded because an empty list is valid data.
 */
async function facts(): Promise<unknown> {
  const state = await currentState(db);
  const { answers: _answers, quarantine: _quarantine, listedDays: _lists, ...rest } = state;
  return rest;
}

/**
 * Returns the responses about companies that were stored at the start. No later response mentions
 * those companies.
 */
async function served(): Promise<string> {
  const bodies = ['GOOD', 'FINE'].flatMap((symbol) =>
    endpoints
      .filter(({ name }) => name === 'earnings' || name === 'profile')
      .map((endpoint) => endpoint.handle(parameterValues({ symbol }), { db, now: NOW })),
  );
  return JSON.stringify(await Promise.all(bodies));
}
