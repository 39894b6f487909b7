import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder, spawnAfterbell } from '../support/afterbell-process.ts';
import { postgresStore } from '../support/stores.ts';

const TIMEOUT = { timeout: 240_000 };

test(
  'serves data that a different process ingests, and ends both processes cleanly',
  TIMEOUT,
  async ({ skip }) => {
    const store = await postgresStore();
    if ('missing' in store) return skip(store.missing);
    onTestFinished(() => store.db.close());
    const env = {
      DATABASE_URL: store.url,
      DATA_DIR: scratchFolder(),
      SANDBOX_SYMBOLS: '50',
      DRAIN_SECONDS: '0',
      METRICS_PORT: '0',
      LOG_LEVEL: 'info',
    };
    function start(...args: string[]) {
      const role = spawnAfterbell(args, env);
      onTestFinished(() => void role.child.kill('SIGKILL'));
      return role;
    }
    const ingest = start('ingest');
    expect(await ingest.line(/^ready /)).toBe('ready ingest');
    const work = start('work');
    expect(await work.line(/^ready /)).toBe('ready work');
    const serve = start('serve', '--port', '0');
    const url = (await serve.line(/^ready http/)).slice('ready '.length);
    const sampleUrl = /curl '(\S+calendar\/earnings\S+)'/.exec(serve.output.stderr)?.[1] ?? '';
    const response = await fetch(sampleUrl);
    expect([response.status, response.headers.get('x-data-source')]).toEqual([200, 'synthetic']);
    expect(JSON.stringify(await response.json())).toContain('"symbol"');
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    for (const role of [ingest, work]) {
      const metrics = /http:\/\/127\.0\.0\.1:\d+(?=\/metrics)/.exec(role.output.stderr)?.[0] ?? '';
      const ready = await fetch(`${metrics}/readyz`);
      expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
    }
    for (const role of [serve, work, ingest]) {
      role.child.kill('SIGTERM');
      expect(await role.ended, role.output.stderr).toBe(0);
    }
  },
);
