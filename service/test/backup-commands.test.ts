import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endpoints } from '../src/endpoints/registry.gen.ts';
import type { Db } from '../src/storage/db.ts';
import { openStore } from '../src/storage/open-store.ts';
import { runAfterbell, scratchFolder, startAfterbell } from './support/afterbell-process.ts';
import { emptyPostgres } from './support/empty-postgres.ts';
import { openRecordedWorld } from './support/recorded-world.ts';

const SETTINGS = { SANDBOX_SYMBOLS: '60' };
const TIMEOUT = { timeout: 400_000 };

/** Sends one request to each endpoint. The company and report come from an earlier response. */
async function answersOf(db: Db, now: string): Promise<Map<string, string>> {
  const world = await openRecordedWorld(now, db);
  const day = now.slice(0, 10);
  const week = await world.request(`/v1/calendar/earnings?from=${day}&to=${nextWeek(now)}`);
  const [, id = ''] = /"id":"(ern_\w+)"/.exec(week) ?? [];
  const [, symbol = ''] = /"symbol":"([A-Z.]+)"/.exec(week) ?? [];
  const given: Readonly<Record<string, string>> = { symbol, id, date: day, from: day, to: day };
  const answers = new Map<string, string>([['week', week]]);
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => given[name] ?? '');
    for (const query of ['', `?symbol=${symbol}`, `?date=${day}`, `?from=${day}&to=${day}`]) {
      const asked = `${path}${query}`;
      const answer = await world.request(asked).catch((error: unknown) => String(error));
      answers.set(asked, answer.replaceAll(/req_\w+/g, 'req'));
    }
  }
  await world.close();
  return answers;
}

function nextWeek(now: string): string {
  return new Date(Date.parse(now) + 7 * 86_400_000).toISOString().slice(0, 10);
}

test(
  'backs up a running service and restores it to either engine with identical responses',
  TIMEOUT,
  async () => {
    const folder = scratchFolder();
    const data = join(folder, 'data');
    const service = await startAfterbell(['--data-dir', data], SETTINGS);
    const key = /eds_test_\w+/.exec(service.output.stderr)?.[0] ?? '';
    const online = await runAfterbell(['backup', '--data-dir', data, '--to', folder], SETTINGS);
    expect(online.code, online.stderr).toBe(0);
    const name = readdirSync(folder).find((file) => file.endsWith('.tar')) ?? '';
    expect(online.stdout).toBe(`${join(folder, name)}\n`);
    expect(name).toMatch(/^afterbell-sandbox-\d{8}T\d{6}Z\.tar$/);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect((await service.get('/v1/market-status', key)).status).toBe(200);
    expect(await service.stop()).toBe(0);

    const still = join(folder, 'still.tar');
    const args = ['backup', '--data-dir', data, '--to', still, '--with-secrets-key', '--json'];
    const offline = await runAfterbell(args, SETTINGS);
    expect(offline.code, offline.stderr).toBe(0);
    const { rows } = JSON.parse(offline.stdout) as { rows: number };
    expect(rows).toBeGreaterThan(5_000);

    const now = new Date(Date.now() + 60_000).toISOString();
    const expected = await answersOf(await openStore({ folder: join(data, 'sandbox') }), now);
    expect(
      [...expected.values()].filter((text) => text.startsWith('{') || text.startsWith('[')).length,
    ).toBeGreaterThan(endpoints.length);

    const into = join(folder, 'restored');
    const restored = await runAfterbell(['restore', still, '--data-dir', into, '--json']);
    expect(restored.code, restored.stderr).toBe(0);
    expect(JSON.parse(restored.stdout)).toMatchObject({ kind: 'sandbox', rows });
    expect(readFileSync(join(into, 'sandbox', 'secrets-key'))).toEqual(
      readFileSync(join(data, 'sandbox', 'secrets-key')),
    );
    const embedded = await answersOf(await openStore({ folder: join(into, 'sandbox') }), now);
    expect(embedded).toEqual(expected);

    const empty = await emptyPostgres();
    if (!('missing' in empty)) {
      const args = [
        'restore',
        still,
        '--data-dir',
        join(folder, 'pg'),
        '--database-url',
        empty.url,
      ];
      const run = await runAfterbell(args);
      expect(run.code, run.stderr).toBe(0);
      const onServer = await answersOf(await openStore({ databaseUrl: empty.url }), now);
      expect(onServer).toEqual(expected);
    }

    // The demo customer's key still works.
    const again = await startAfterbell(['--data-dir', into], SETTINGS);
    expect((await again.get('/v1/market-status', key)).status).toBe(200);
    expect(await again.stop()).toBe(0);
  },
);

test(
  'refuses to restore a damaged backup or to overwrite an existing store, and states the fix',
  TIMEOUT,
  async () => {
    const folder = scratchFolder();
    const data = join(folder, 'data');
    await runAfterbell(['keys', 'create', '--plan', 'pro', '--sandbox', '--data-dir', data]);
    const file = join(folder, 'a.tar');
    await runAfterbell(['backup', '--sandbox', '--data-dir', data, '--to', file]);
    const bad = join(folder, 'bad.tar');
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 4;
    writeFileSync(bad, bytes);
    const damaged = await runAfterbell(['restore', bad, '--data-dir', join(folder, 'never')]);
    expect([damaged.code, damaged.stdout]).toEqual([1, '']);
    expect(damaged.stderr).toContain('is damaged');
    expect(readdirSync(folder)).not.toContain('never');
    const taken = await runAfterbell(['restore', file, '--data-dir', data]);
    expect(taken.code).toBe(1);
    expect(taken.stderr).toContain('choose another one with --data-dir');
    const twice = await runAfterbell(['backup', '--sandbox', '--data-dir', data, '--to', file]);
    expect(twice.stderr).toContain('already exists');
  },
);

test(
  'does not create a missing store for the backup, export and list commands',
  TIMEOUT,
  async () => {
    const folder = scratchFolder();
    for (const args of [
      ['backup', '--to', join(folder, 'x.tar')],
      ['export', '--dataset', 'all', '--to', join(folder, 'csv')],
      ['keys', 'list'],
    ]) {
      const run = await runAfterbell([...args, '--data-dir', join(folder, 'typo')]);
      expect([run.code, run.stdout]).toEqual([1, '']);
      expect(run.stderr).toMatch(/^there is no store in .*typo.sandbox: use another folder/);
    }
    expect(readdirSync(folder)).toEqual([]);
  },
);
