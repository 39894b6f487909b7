import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runAfterbell, scratchFolder } from '../../../test/support/afterbell-process.ts';
import { runCommand } from '../../../test/support/run-command.ts';
import { emptyStore, memoryStore } from '../../../test/support/stores.ts';
import { encryptSecret } from '../../accounts/encrypted-secrets.ts';
import { createIngest } from '../../ingest/ingest.ts';
import { marketCalendar } from '../../domain/market/calendar.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import type { HttpClient } from '../../platform/http-client.ts';
import { parseInstant } from '../../platform/instant.ts';
import type { FetchResult } from '../../platform/source-client.ts';
import { seededRandom } from '../../platform/random.ts';
import { createSecretCipher } from '../../platform/encryption.ts';
import { createSourceResponse } from '../../providers/source-response.ts';
import { providers } from '../../providers/registry.gen.ts';
import type { Provider } from '../../providers/provider.ts';
import { readSettings } from '../../config/settings.ts';
import type { Db } from '../../storage/db.ts';
import { aheadRow, calendarUrl, envelope, pastRow } from '../../../test/support/recording-maker.ts';
import { command } from './doctor.ts';
import { type Check, worst } from '../doctor/check.ts';
import {
  checkDisagreements,
  checkFreshness,
  checkGaps,
  checkKeys,
  checkQuarantine,
} from '../doctor/check-data.ts';
import { checkDisk } from '../doctor/check-disk.ts';
import { checkSources } from '../doctor/check-sources.ts';

const NOON = parseInstant('2026-11-19T17:00:00Z') ?? 0;
const DAY_MS = 86_400_000;
const nasdaq = providers.filter(({ name }) => name === 'nasdaq');

let db: Db;
beforeAll(async () => {
  db = await memoryStore();
});
beforeEach(() => emptyStore(db));
afterAll(() => db.close());

function deps(sources: readonly Provider[] = nasdaq) {
  return { db, now: NOON, market: marketCalendar(), sources };
}

/** Takes in calendars as they were seen, at these instants. */
async function takeIn(...answers: { url: string; at: number; body: object }[]): Promise<void> {
  for (const { url, at, body } of answers) {
    const ingest = createIngest({
      db,
      providers,
      clock: fakeClock(at),
      onCommit: () => undefined,
    });
    const text = JSON.stringify(body);
    await ingest(
      createSourceResponse({
        url,
        status: 200,
        contentType: 'application/json',
        observedAt: at,
        text,
      }),
    );
  }
}

const states = (checks: readonly { state: string }[]): string[] => checks.map(({ state }) => state);

describe('the doctor', () => {
  it('tells a data set that is late from one that is not and one that never came', async () => {
    const url = calendarUrl('2026-11-20');
    await takeIn({ url, at: NOON - 29 * 3_600_000, body: envelope([aheadRow('MERD')]) });
    const fresh = await checkFreshness(deps());
    const earnings = fresh.find(({ message }) => message.startsWith('earnings'));
    expect(earnings).toMatchObject({ state: 'ok', mend: null });
    expect(fresh.find(({ message }) => message.startsWith('bars'))).toMatchObject({
      state: 'warning',
      message: 'bars: nothing yet',
    });
    const late = await checkFreshness({ ...deps(), now: NOON + 2 * 3_600_000 });
    expect(late.find(({ message }) => message.startsWith('earnings'))?.state).toBe('warning');
    expect(states(await checkFreshness(deps([])))).toEqual(['skipped']);
  });

  it('sends nobody to ask a simulated market, which cannot be asked', async () => {
    const sandbox = providers.filter(({ name }) => name === 'sandbox');
    const mends = new Set((await checkFreshness(deps(sandbox))).map(({ mend }) => mend));
    expect([...mends]).toEqual([
      'the simulated market fills it while the service runs: afterbell start',
    ]);
  });

  it('names the sessions that are missing, and the command that fetches them', async () => {
    const at = NOON - 7 * DAY_MS;
    const days = ['2026-11-12', '2026-11-13', '2026-11-17'];
    await takeIn(
      ...days.map((day) => ({ url: calendarUrl(day), at, body: envelope([aheadRow('MERD')]) })),
    );
    const checks = await checkGaps(deps());
    // Thursday the 12th to Wednesday the 18th; a weekend lies between.
    expect(checks.find(({ message }) => message.includes('captures'))).toMatchObject({
      state: 'warning',
      message:
        'captures of the earnings calendar: missing for 2 of the last 5 sessions (2026-11-16, 2026-11-18)',
      mend: 'afterbell ingest backfill --from 2026-11-16 --to 2026-11-18',
    });
    expect(checks.find(({ message }) => message.startsWith('bars'))?.message).toContain(
      '5 of the last 5',
    );
  });

  it('finds no gap in a store that is younger than a session', async () => {
    expect(states(await checkGaps(deps()))).toEqual(['skipped']);
    await takeIn({ url: calendarUrl('2026-11-20'), at: NOON, body: envelope([aheadRow('MERD')]) });
    expect(states(await checkGaps(deps()))).toEqual(['ok']);
  });

  it('shows the reports on which sources differ, the worst first', async () => {
    const finnhub = (symbol: string, date: string, hour: string) => ({
      date,
      epsActual: null,
      epsEstimate: 1.2,
      hour,
      quarter: 3,
      symbol,
      year: 2026,
      revenueActual: null,
      revenueEstimate: null,
    });
    await takeIn(
      {
        url: calendarUrl('2026-11-20'),
        at: NOON,
        body: envelope([
          aheadRow('MERA', { fiscalQuarterEnding: 'Sep/2026' }),
          aheadRow('MERB', { fiscalQuarterEnding: 'Sep/2026' }),
          aheadRow('MERC', { fiscalQuarterEnding: 'Sep/2026' }),
        ]),
      },
      {
        url: 'https://finnhub.io/api/v1/calendar/earnings?from=2026-11-20&to=2026-11-28',
        at: NOON,
        body: {
          earningsCalendar: [
            finnhub('MERA', '2026-11-20', 'amc'),
            finnhub('MERB', '2026-11-21', 'bmo'),
            finnhub('MERC', '2026-11-25', ''),
          ],
        },
      },
    );
    const checks = await checkDisagreements(deps());
    expect(checks.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^2 reports with two values of date: MERC .*; MERB /),
      expect.stringMatching(/^1 reports with two values of time: MERB time-\S+ \(\w+\) \/ time-/),
    ]);
    expect(states(checks)).toEqual(['warning', 'warning']);
  });

  it('finds agreement where one source speaks', async () => {
    await takeIn({ url: calendarUrl('2026-11-18'), at: NOON, body: envelope([pastRow('MERA')]) });
    expect(states(await checkDisagreements(deps()))).toEqual(['ok']);
  });

  it('counts the rows that were set aside, and warns of many', async () => {
    expect((await checkQuarantine(deps())).state).toBe('ok');
    const bad = (count: number, day: string) => ({
      url: calendarUrl(day),
      at: NOON,
      body: envelope(
        Array.from({ length: count }, (_, n) => aheadRow('MERD', { epsForecast: `?${n}` })),
      ),
    });
    await takeIn(bad(3, '2026-11-20'));
    expect(await checkQuarantine(deps())).toMatchObject({
      state: 'ok',
      message: expect.stringMatching(/^3 rows .* earnings bad-number$/) as string,
    });
    await takeIn(bad(120, '2026-11-23'));
    expect((await checkQuarantine(deps())).state).toBe('warning');
    expect((await checkQuarantine({ ...deps(), now: NOON + 8 * DAY_MS })).state).toBe('ok');
  });

  it('warns of keys in use that expire within two weeks, and of no others', async () => {
    const days = { gone: -1, soon: 13, late: 15, revoked: 5, never: null };
    await db.query(
      `insert into plan (name, per_minute) values ('free', 60) on conflict do nothing`,
    );
    await db.query(
      `insert into customer (id, name, plan, created_at) values ('c1', 'Meridian', 'free', now())`,
    );
    for (const [id, inDays] of Object.entries(days)) {
      const at = inDays === null ? null : NOON + inDays * DAY_MS;
      await db.query(
        `insert into api_key (id, customer_id, hash, prefix, last4, created_at, expires_at, revoked_at)
         values ($1, 'c1', convert_to($1, 'UTF8'), 'eds_live_', left($1, 4), now(),
                 to_timestamp($2::float8 / 1000), case when $1 = 'revoked' then now() end)`,
        [id, at],
      );
    }
    expect(await checkKeys(deps())).toMatchObject({
      state: 'warning',
      message: '1 keys expire within 14 days: Meridian …soon on 2026-12-02',
    });
    expect((await checkKeys({ ...deps(), now: NOON + 60 * DAY_MS })).state).toBe('ok');
  });

  it('ends with 0 when nothing is wrong, and with 1 when the settings are', async () => {
    const folder = scratchFolder();
    const args = ['doctor', '--offline', '--data-dir', join(folder, 'none')];
    const well = await runAfterbell([...args, '--json']);
    expect([well.code, JSON.parse(well.stdout)]).toMatchObject([0, { status: 'ok' }]);
    expect(well.stdout).toContain('there is no store in');
    expect(readdirSync(folder)).toEqual([]);
    const ill = await runAfterbell(args, { SOURCES: 'nowhere' });
    expect(ill.code).toBe(1);
    expect(ill.stdout).toMatch(/^broken +settings +there is no source "nowhere"/);
  });

  it('takes room on the disk for granted nowhere', async () => {
    expect((await checkDisk('/no/such/folder')).message).toMatch(/^\d+ MiB free/);
  });

  it('is well only when nothing is wrong', async () => {
    const ok = { check: 'x', state: 'ok', message: '', mend: null } as const;
    expect(worst([ok, { ...ok, state: 'skipped' }])).toBe('ok');
    expect(worst([ok, { ...ok, state: 'warning' }])).toBe('warning');
    expect(
      worst([
        { ...ok, state: 'warning' },
        { ...ok, state: 'broken' },
      ]),
    ).toBe('broken');
  });
});

describe('the doctor looks for what would stop a start:', () => {
  async function look(env: Record<string, string>) {
    const dataDir = scratchFolder();
    // The store of the test stands for that of the address.
    const given = { DATA_DIR: dataDir, DATABASE_URL: 'postgres://nobody@127.0.0.1/none', ...env };
    const settings = readSettings({ flags: {}, env: given, cwd: '/', sources: [] });
    const world = { db, clock: fakeClock(NOON), settings };
    const { out } = await runCommand(command, world, ['--offline', '--json']);
    expect(readdirSync(dataDir)).toEqual([]);
    const { checks } = JSON.parse(out) as { checks: Check[] };
    return (name: string) => checks.find(({ check }) => check === name);
  }
  const keys = [new Uint8Array(32).fill(5), new Uint8Array(32).fill(6)];
  const [key = '', other = ''] = keys.map((bytes) => Buffer.from(bytes).toString('base64'));

  it('secrets without the key that sealed them, and it makes none', async () => {
    expect((await look({}))('secrets')?.state).toBe('ok');
    const cipher = createSecretCipher(keys.slice(0, 1), seededRandom(1));
    await db.transaction((tx) => encryptSecret(tx, cipher, 'whsec_x', 'endpoint'));
    for (const env of [{}, { SECRETS_KEY: other }]) {
      expect((await look(env))('secrets')).toMatchObject({
        state: 'broken',
        message: expect.stringContaining('encrypted with another key') as string,
      });
    }
    expect((await look({ SECRETS_KEY: key }))('secrets')?.state).toBe('ok');
  });

  it('a plan for who signs up that is not there', async () => {
    await db.query(
      `insert into plan (name, per_minute) values ('free', 60) on conflict do nothing`,
    );
    expect((await look({ SIGN_UP_PLAN: 'nonesuch' }))('sign-up')).toMatchObject({
      state: 'broken',
      message: expect.stringContaining('SIGN_UP_PLAN is nonesuch') as string,
    });
    expect((await look({ SIGN_UP_PLAN: 'free' }))('sign-up')?.state).toBe('ok');
    expect((await look({}))('sign-up')).toBeUndefined();
  });

  it('a file of certificates that cannot be read', async () => {
    expect((await look({ WEBHOOK_CA_FILE: '/no/such/file' }))('webhooks')).toMatchObject({
      state: 'broken',
      message: expect.stringContaining('WEBHOOK_CA_FILE /no/such/file cannot be read') as string,
    });
    expect((await look({}))('webhooks')).toBeUndefined();
  });
});

describe('the doctor at the door of a source', () => {
  function look(result: FetchResult, aheadMs: number | null, isClockShifted = false) {
    const asked: string[] = [];
    const client: HttpClient = {
      source: () => ({
        cooldown: () => null,
        clockAheadMs: () => aheadMs,
        fetch: ({ url }) => Promise.resolve(asked.push(url)).then(() => result),
      }),
      close: () => Promise.resolve(),
    };
    const planContext = () =>
      Promise.resolve({
        now: NOON,
        today: '2026-11-19' as never,
        ciks: new Map(),
        setting: () => undefined,
      });
    const checks = checkSources({ client, sources: nasdaq, planContext, isClockShifted });
    return checks.then((found) => ({ asked, found }));
  }
  const unavailable = (reason: 'blocked' | 'timeout'): FetchResult => ({
    kind: 'unavailable',
    reason,
    retryAt: NOON,
  });
  const says = (text: string): FetchResult => ({
    kind: 'response',
    response: {
      url: 'https://api.nasdaq.com/api/x',
      status: 200,
      contentType: '',
      observedAt: NOON,
      text,
    },
  });

  it('asks one cheap thing, and says what it is told', async () => {
    const { asked, found } = await look(unavailable('blocked'), null);
    expect(asked).toHaveLength(1);
    expect(found).toMatchObject([
      { state: 'broken', message: 'nasdaq: no answer (blocked)' },
      { check: 'clock', state: 'skipped' },
    ]);
    expect((await look(says('<html>'), 0)).found[0]).toMatchObject({ state: 'broken' });
  });

  it.each([
    [0, 'ok'],
    [-29_000, 'ok'],
    [40_000, 'warning'],
    [-600_000, 'broken'],
  ])('holds our clock against its own: %s ms ahead is %s', async (aheadMs, state) => {
    const { found } = await look(says('{}'), aheadMs);
    expect(found.at(-1)).toMatchObject({ check: 'clock', state });
    const shifted = await look(says('{}'), aheadMs, true);
    expect(shifted.found.at(-1)).toMatchObject({ check: 'clock', state: 'skipped' });
  });
});
