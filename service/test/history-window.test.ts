import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateKey } from '../src/accounts/keys/key-format.ts';
import { fixedApiKeyCache } from '../src/accounts/keys/api-key-cache.ts';
import type { Endpoint, Parameter } from '../src/endpoints/endpoint.ts';
import { endpoints } from '../src/endpoints/registry.gen.ts';
import { ResponseCache } from '../src/http/response-cache.ts';
import { createReadApi, type ReadApi } from '../src/http/read-api.ts';
import { fakeClock } from './support/fake-clock.ts';
import { memoryLog } from './support/logs.ts';
import { seededRandom } from '../src/platform/random.ts';
import { createSandbox } from '../src/providers/sandbox/index.ts';
import { keyRecordOf } from './support/key-record.ts';
import { openRecordedWorld, type RecordedWorld } from './support/recorded-world.ts';

/** Latest time in the test data. */
const FILLED_AT = '2027-01-15T22:30:00Z';
/**
 * Current time in the test, three years after the data ends, so that a plan with 24 months of
 * history sees none of it.
 */
const NOW = Date.parse('2030-01-15T15:00:00Z');
const EARLIEST = '2028-01-15';
/** Days on which to look for an endpoint's rows. */
const DAYS = Array.from({ length: 60 }, (_, back) =>
  new Date(Date.parse('2027-01-15') - back * 86_400_000).toISOString().slice(0, 10),
);

const historical = endpoints.filter(
  // Files have their own test.
  ({ historicalAccess, findFile }) => historicalAccess && findFile === undefined,
);
const random = seededRandom(5);
const keys = { whole: generateKey('test', random), short: generateKey('test', random) };
let world: RecordedWorld;
let api: ReadApi;
let subject: { symbol: string; id: string };

beforeAll(async () => {
  world = await openRecordedWorld(FILLED_AT);
  const sandbox = createSandbox({ companies: 40, seed: 11, years: null });
  for (const answer of sandbox.generateResponses?.(null, Date.parse(FILLED_AT)) ?? []) {
    // Skips the years of older reports, which this test does not need.
    if (/[?&]part=\d/.test(answer.url)) continue;
    await world.ingest(answer);
  }
  // Loads the symbol and id of an event that has been reported.
  const [row] = await world.db.query<{ symbol: string; id: string }>(
    `select symbol, id from earnings_event
      where known_to is null and date_status = 'reported' order by id limit 1`,
  );
  if (row === undefined) throw new Error('nothing was reported');
  subject = row;
  const whole = keyRecordOf(keys.whole, { id: 'key_whole' });
  const plan = { ...whole.plan, name: 'short', historyMonths: 24 };
  api = createReadApi({
    endpoints,
    db: world.db,
    clock: fakeClock(NOW),
    random,
    keys: fixedApiKeyCache([
      whole,
      keyRecordOf(keys.short, {
        id: 'key_short',
        plan,
      }),
    ]),
    cache: new ResponseCache({ sizeMaxBytes: 1e7 }),
    dataSource: 'synthetic',
    log: memoryLog(),
  });
});
afterAll(() => world.close());

test('finds the endpoints that support historical requests', () => {
  expect(historical.length).toBeGreaterThanOrEqual(6);
});

test.each(historical.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s returns no rows beyond the limit to a plan with 24 months of history, and states the limit',
  async (_, endpoint) => {
    let asked = 0;
    for (const questions of questionsOf(endpoint)) {
      const question = await oneWithRows(endpoint, questions);
      const short = await ask(question, keys.short);
      if (short.status === 403) {
        expect(short.body).toMatchObject({
          code: 'history-window-exceeded',
          earliestDate: EARLIEST,
          plan: 'short',
        });
      } else {
        expect([question, short.status, rowsIn(short.body, endpoint.buckets)]).toEqual([
          question,
          200,
          0,
        ]);
        expect(short.headers).toContain(`X-History-From: ${EARLIEST}`);
        expect(short.headers).toContain('X-History-Limited: true');
      }
      asked += 1;
    }
    expect(asked).toBeGreaterThan(0);
  },
);

/**
 * Returns each way to query the endpoint, as a list of alternatives. At least one alternative must
 * return rows.
 */
function questionsOf({ path, parameters }: Endpoint): string[][] {
  // One company is enough, also where a list of symbols may take its place.
  const required = parameters.filter(({ required: is, kind }) => is || kind === 'symbol');
  const names = parameters.map(({ name }) => name);
  const ways: string[][] = [];
  const isByDay = names.includes('date');
  if (isByDay) ways.push(DAYS.map((day) => filled(path, required, `date=${day}`)));
  if (names.includes('from') && names.includes('to')) {
    ways.push([filled(path, required, `from=${DAYS[59]}&to=${DAYS[0]}`)]);
  }
  return ways.length === 0 ? [[filled(path, required, '')]] : ways;
}

function filled(path: string, required: readonly Parameter[], more: string): string {
  let filledPath = path;
  const query = more === '' ? [] : [more];
  for (const parameter of required) {
    if (parameter.kind === 'date' && more !== '') continue;
    const value = valueOf(parameter);
    if (parameter.in === 'query') query.push(`${parameter.name}=${value}`);
    else filledPath = filledPath.replace(`{${parameter.name}}`, value);
  }
  return query.length === 0 ? filledPath : `${filledPath}?${query.join('&')}`;
}

function valueOf({ kind, name }: Parameter): string {
  if (kind === 'symbol') return encodeURIComponent(subject.symbol);
  if (name === 'since') return '2020-01-01T00:00:00Z';
  if (kind === 'id') return subject.id;
  throw new Error(`this test knows no value for ${name}, a ${kind}`);
}

/**
 * Returns the first query that returns rows to a plan with full history. Throws if there is none.
 */
async function oneWithRows({ buckets }: Endpoint, questions: readonly string[]) {
  for (const question of questions) {
    const { status, body } = await ask(question, keys.whole);
    expect([question, status]).toEqual([question, 200]);
    if (rowsIn(body, buckets) > 0) return question;
  }
  throw new Error(`no rows to hide: ${questions[0]}`);
}

async function ask(url: string, key: string) {
  const headers = { 'x-api-key': key };
  const answer = await api.handle({ method: 'GET', url, headers, remoteAddress: '127.0.0.1' });
  const flat = answer.headers;
  const lines = flat.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${flat[at + 1]}`] : []));
  return {
    status: answer.status,
    headers: lines,
    body: parseBody(String(answer.body)),
  };
}

/** Parses JSON, or the data sets of the entries of a feed. */
function parseBody(text: string): unknown {
  if (!text.startsWith('<')) return JSON.parse(text) as unknown;
  const categories = text.matchAll(/(?<!<category .*\n)<category term="(.*?)"/g);
  return [...categories].map(([, dataset]) => ({ dataset }));
}

/**
 * Returns the number of rows in a list, in an object's buckets, or in the buckets of each day of a
 * range.
 */
function rowsIn(body: unknown, buckets: readonly string[] = []): number {
  if (buckets.length === 0) return (body as object[]).filter(isOfHistory).length;
  const days = Array.isArray(body) ? body : [body];
  return days.reduce<number>((sum, day: Record<string, unknown[]>) => {
    return sum + buckets.reduce((rows, name) => rows + (day[name]?.length ?? Number.NaN), 0);
  }, 0);
}

/**
 * Checks whether a row has a date to which a plan's history limit applies. In a list of changes,
 * the limit applies only to some data sets.
 */
function isOfHistory(row: object): boolean {
  return !('dataset' in row) || row.dataset === 'earnings' || row.dataset === 'economic-events';
}
