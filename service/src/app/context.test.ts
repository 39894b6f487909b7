import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { memoryLog } from '../../test/support/logs.ts';
import { readSettings } from '../config/settings.ts';
import { createShutdown } from '../platform/shutdown.ts';
import { createAppContext } from './context.ts';

test('is not ready while a required loop of this process fails', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'afterbell-context-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [clock, log] = [fakeClock(Date.parse('2026-11-20T15:00:00Z')), memoryLog()];
  const settings = readSettings({ flags: {}, env: { DATA_DIR: folder }, cwd: '/', sources: [] });
  const process = { on: () => undefined, exit: () => undefined };
  const shutdown = createShutdown({ clock, log, process });
  const app = await createAppContext({ settings, kind: 'live', clock, log, shutdown });
  app.readiness.markReady();
  const loop = app.loops.add('send', 'periodic');
  for (let seconds = 0; seconds < 30; seconds += 1) {
    expect(app.readiness.state()).toBe('ready');
    await clock.advance(1_000);
    // The store is checked in the meantime.
    await app.db.query('select 1');
  }
  expect(app.readiness.state()).toBe('not ready');
  loop.succeeded();
  expect(app.readiness.state()).toBe('ready');
  shutdown.begin('the test is over');
  await shutdown.done;
});
