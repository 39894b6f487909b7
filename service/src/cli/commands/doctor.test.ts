import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runAfterbell, scratchFolder } from '../../../test/support/afterbell-process.ts';
import { runCommand } from '../../../test/support/run-command.ts';
import { ingestResponses } from '../../../test/support/ingest-responses.ts';
import { emptyStore, memoryStore } from '../../../test/support/stores.ts';
import { encryptSecret } from '../../accounts/encrypted-secrets.ts';
import { marketCalendar } from '../../domain/market/calendar.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { parseInstant } from '../../platform/instant.ts';
import { seededRandom } from '../../platform/random.ts';
import { createSecretCipher } from '../../platform/encryption.ts';
import { providers } from '../../providers/registry.gen.ts';
import type { Provider } from '../../providers/provider.ts';
import { readSettings } from '../../config/settings.ts';
import type { Db } from '../../storage/db.ts';
import {
  upcomingRow,
  calendarUrl,
  envelope,
  pastRow,
} from '../../../test/support/write-recording.ts';
import { command } from './doctor.ts';
import { type Check, worstState } from '../doctor/check.ts';
import {
  checkDisagreements,
  checkFreshness,
  checkGaps,
  checkKeys,
  checkPriceLists,
  checkQuarantine,
} from '../doctor/check-data.ts';
import { checkDisk } from '../doctor/check-startup.ts';

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

const states = (checks: readonly { state: string }[]): string[] => checks.map(({ state }) => state);

describe('doctor', () => {
  it('reports whether each data set is current, late or missing', async () => {
    const url = calendarUrl('2026-11-20');
    await ingestResponses(db, {
      url,
      at: NOON - 29 * 3_600_000,
      body: envelope([upcomingRow('MERD')]),
    });
    const fresh = await checkFreshness(deps());
    const earnings = fresh.find(({ message }) => message.startsWith('earnings'));
    expect(earnings).toMatchObject({ state: 'ok', fix: null });
    expect(fresh.find(({ message }) => message.startsWith('bars'))).toMatchObject({
      state: 'warning',
      message: 'bars: no data yet',
    });
    const late = await checkFreshness({ ...deps(), now: NOON + 2 * 3_600_000 });
    expect(late.find(({ message }) => message.startsWith('earnings'))?.state).toBe('warning');
    expect(states(await checkFreshness(deps([])))).toEqual(['skipped']);
  });

  it('suggests starting the service if the data of a simulated market is late or missing', async () => {
    const sandbox = providers.filter(({ name }) => name === 'sandbox');
    const fixes = new Set((await checkFreshness(deps(sandbox))).map(({ fix }) => fix));
    expect([...fixes]).toEqual([
      'the simulated market is generated while the service runs: afterbell start',
    ]);
  });

  it('lists sessions with missing data, with the command that backfills them', async () => {
    const at = NOON - 7 * DAY_MS;
    const days = ['2026-11-12', '2026-11-13', '2026-11-17'];
    await ingestResponses(
      db,
      ...days.map((day) => ({ url: calendarUrl(day), at, body: envelope([upcomingRow('MERD')]) })),
    );
    const checks = await checkGaps(deps());
    // Thursday 12 November to Wednesday 18 November, including a weekend.
    expect(checks.find(({ message }) => message.includes('earnings calendars'))).toMatchObject({
      state: 'warning',
      message: 'earnings calendars: missing for 2 of the last 5 sessions (2026-11-16, 2026-11-18)',
      fix: 'afterbell ingest backfill --from 2026-11-16 --to 2026-11-18',
    });
    expect(checks.find(({ message }) => message.startsWith('bars'))?.message).toContain(
      '5 of the last 5',
    );
  });

  it('reports no gaps if the store is newer than the last session', async () => {
    expect(states(await checkGaps(deps()))).toEqual(['skipped']);
    await ingestResponses(db, {
      url: calendarUrl('2026-11-20'),
      at: NOON,
      body: envelope([upcomingRow('MERD')]),
    });
    expect(states(await checkGaps(deps()))).toEqual(['ok']);
  });

  it('lists earnings reports on which sources disagree, with the largest difference first', async () => {
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
    await ingestResponses(
      db,
      {
        url: calendarUrl('2026-11-20'),
        at: NOON,
        body: envelope([
          upcomingRow('MERA', { fiscalQuarterEnding: 'Sep/2026' }),
          upcomingRow('MERB', { fiscalQuarterEnding: 'Sep/2026' }),
          upcomingRow('MERC', { fiscalQuarterEnding: 'Sep/2026' }),
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
      expect.stringMatching(
        /^2 reports around 2026-11-19 with conflicting values of date \(finnhub and nasdaq: 2\): MERC .*; MERB /,
      ),
      expect.stringMatching(
        /^1 reports .* of time \(finnhub and nasdaq: 1\): MERB time-\S+ \(\w+\) \/ time-/,
      ),
    ]);
    expect(states(checks)).toEqual(['warning', 'warning']);
    expect(checks[0]).toMatchObject({
      fix: expect.stringMatching(
        / GET \/v1\/earnings\?symbol=MERC&include=alternatives$/,
      ) as string,
    });
    expect(await checkDisagreements({ ...deps([]), now: NOON + 90 * DAY_MS })).toEqual(checks);
  });

  it('warns about recent price lists that show an earlier session, and counts older ones', async () => {
    expect(states(await checkPriceLists(deps()))).toEqual(['ok']);
    // Stores one list of a recent evening.
    await db.query(
      `insert into price_night (provider, feed, list, date, content_date, held, served_date,
                                row_count, stale_count)
       values ('nasdaq', 'screener', 'nyse', '2026-11-18', '2026-11-17', 'stale-night',
               '2026-11-17', 2900, 2)`,
    );
    const [check] = await checkPriceLists(deps());
    expect(check).toMatchObject({
      state: 'warning',
      message:
        '2,900 × nasdaq screener, 2026-11-18: lists that show an earlier session (stale-night); ' +
        '2,898 served under that session',
    });
    expect(await checkPriceLists({ ...deps(), now: NOON + 90 * DAY_MS })).toMatchObject([
      { state: 'ok', message: expect.stringContaining('2 older rows withheld') as string },
    ]);
  });

  it('reports no disagreement if there is only one source', async () => {
    await ingestResponses(db, {
      url: calendarUrl('2026-11-18'),
      at: NOON,
      body: envelope([pastRow('MERA')]),
    });
    expect(states(await checkDisagreements(deps()))).toEqual(['ok']);
  });

  it('counts quarantined rows and warns if there are many', async () => {
    expect((await checkQuarantine(deps())).state).toBe('ok');
    const bad = (count: number, day: string) => ({
      url: calendarUrl(day),
      at: NOON,
      body: envelope(
        Array.from({ length: count }, (_, n) => upcomingRow('MERD', { epsForecast: `?${n}` })),
      ),
    });
    await ingestResponses(db, bad(3, '2026-11-20'));
    expect(await checkQuarantine(deps())).toMatchObject({
      state: 'ok',
      message: expect.stringMatching(/^3 rows .* earnings bad-number$/) as string,
    });
    await ingestResponses(db, bad(120, '2026-11-23'));
    expect((await checkQuarantine(deps())).state).toBe('warning');
    expect((await checkQuarantine({ ...deps(), now: NOON + 8 * DAY_MS })).state).toBe('ok');
  });

  it('warns only about active API keys that expire within two weeks', async () => {
    const days = { past: -1, soon: 13, late: 15, revoked: 5, never: null };
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
      message: '1 API keys expire within 14 days: Meridian …soon on 2026-12-02',
    });
    expect((await checkKeys({ ...deps(), now: NOON + 60 * DAY_MS })).state).toBe('ok');
  });

  it('doctor exits with 0 if there are no problems and with 1 if settings are invalid', async () => {
    const folder = scratchFolder();
    const args = ['doctor', '--offline', '--data-dir', join(folder, 'none')];
    const valid = await runAfterbell([...args, '--json']);
    expect([valid.code, JSON.parse(valid.stdout)]).toMatchObject([0, { status: 'ok' }]);
    expect(valid.stdout).toContain('there is no store in');
    expect(readdirSync(folder)).toEqual([]);
    const invalid = await runAfterbell(args, { SOURCES: 'nowhere' });
    expect(invalid.code).toBe(1);
    expect(invalid.stdout).toMatch(/^broken +settings +there is no source "nowhere"/);
  });

  it('checks the free disk space for a folder that does not exist yet', async () => {
    expect((await checkDisk('/no/such/folder')).message).toMatch(/^\d+ MiB free/);
  });

  it('returns the worst state of several checks', async () => {
    const ok = { check: 'x', state: 'ok', message: '', fix: null } as const;
    expect(worstState([ok, { ...ok, state: 'skipped' }])).toBe('ok');
    expect(worstState([ok, { ...ok, state: 'warning' }])).toBe('warning');
    expect(
      worstState([
        { ...ok, state: 'warning' },
        { ...ok, state: 'broken' },
      ]),
    ).toBe('broken');
  });
});

describe('doctor startup checks', () => {
  async function checksFor(env: Record<string, string>) {
    const dataDir = scratchFolder();
    // Uses the test's store instead of DATABASE_URL.
    const environment = {
      DATA_DIR: dataDir,
      DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
      ...env,
    };
    const settings = readSettings({ flags: {}, env: environment, cwd: '/', sources: [] });
    const world = { db, clock: fakeClock(NOON), settings };
    const { out } = await runCommand(command, world, ['--offline', '--json']);
    expect(readdirSync(dataDir)).toEqual([]);
    const { checks } = JSON.parse(out) as { checks: Check[] };
    return (name: string) => checks.find(({ check }) => check === name);
  }
  const keys = [new Uint8Array(32).fill(5), new Uint8Array(32).fill(6)];
  const [key = '', other = ''] = keys.map((bytes) => Buffer.from(bytes).toString('base64'));

  it('reports stored secrets whose key is missing, and does not generate a key', async () => {
    expect((await checksFor({}))('secrets')?.state).toBe('ok');
    const cipher = createSecretCipher(keys.slice(0, 1), seededRandom(1));
    await db.transaction((tx) => encryptSecret(tx, cipher, 'whsec_x', 'endpoint'));
    for (const env of [{}, { SECRETS_KEY: other }]) {
      expect((await checksFor(env))('secrets')).toMatchObject({
        state: 'broken',
        message: expect.stringContaining('encrypted with another key') as string,
      });
    }
    expect((await checksFor({ SECRETS_KEY: key }))('secrets')?.state).toBe('ok');
  });

  it('reports a SIGN_UP_PLAN that does not exist', async () => {
    await db.query(
      `insert into plan (name, per_minute) values ('free', 60) on conflict do nothing`,
    );
    expect((await checksFor({ SIGN_UP_PLAN: 'nonesuch' }))('sign-up')).toMatchObject({
      state: 'broken',
      message: expect.stringContaining('SIGN_UP_PLAN is nonesuch') as string,
    });
    expect((await checksFor({ SIGN_UP_PLAN: 'free' }))('sign-up')?.state).toBe('ok');
    expect((await checksFor({}))('sign-up')).toBeUndefined();
  });

  it('reports a WEBHOOK_CA_FILE that cannot be read', async () => {
    expect((await checksFor({ WEBHOOK_CA_FILE: '/no/such/file' }))('webhooks')).toMatchObject({
      state: 'broken',
      message: expect.stringContaining('WEBHOOK_CA_FILE /no/such/file cannot be read') as string,
    });
    expect((await checksFor({}))('webhooks')).toBeUndefined();
  });
});

describe('doctor --live', () => {
  it('needs no store, and prints one line for each source', async () => {
    const settings = readSettings({
      flags: {},
      env: { SOURCES: 'files' },
      cwd: '/',
      sources: providers,
    });
    const world = { db, clock: fakeClock(NOON), settings };
    const { out, error } = await runCommand(command, world, ['--live']);
    expect([out, error]).toEqual([
      'skipped  files: no requests over the network\nskipped  clock: no source sent its time\n',
      null,
    ]);
    const conflict = await runCommand(command, world, ['--live', '--offline']);
    expect(conflict.error?.message).toContain("cannot be used with option '--live'");
  });
});
