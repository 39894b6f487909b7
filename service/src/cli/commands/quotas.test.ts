import { Command } from 'commander';
import { expect, test } from 'vitest';
import { memoryStore } from '../../../test/support/stores.ts';
import { listAuditEvents } from '../../accounts/audit-log.ts';
import { loadUse, saveUses } from '../../metering/quota-store.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import type { CliContext } from '../command.ts';
import { command } from './quotas.ts';

const NOW = Date.parse('2026-11-20T17:00:00Z');
const TODAY = { dayId: 20_777, monthId: 2026 * 12 + 10 };

test('resets only the usage counts that were recorded for future days', async () => {
  const db = await memoryStore();
  const counted = { dayCount: 7, perDay: 9, monthCount: 8, perMonth: 90, generation: 0 };
  await saveUses(db, [
    { customerId: 'ahead', use: { ...counted, dayId: 20_800, monthId: TODAY.monthId + 1 } },
    { customerId: 'here', use: { ...counted, ...TODAY } },
  ]);
  let printed = '';
  const context = {
    clock: fakeClock(NOW),
    stdout: (text: string) => void (printed += text),
    openStore: () => Promise.resolve({ db, close: () => Promise.resolve() }),
  } as unknown as CliContext;
  const program = new Command().exitOverride();
  command.add(program, context);
  await program.parseAsync(['quotas', 'reset-ahead'], { from: 'user' });
  expect(JSON.parse(printed)).toEqual({ customers: 1 });
  expect(await listAuditEvents(db, { customerId: null, limit: 9 })).toMatchObject([
    { action: 'quotas.reset-ahead', actor: { kind: 'cli' }, details: { customers: 1 } },
  ]);
  expect(await loadUse(db, 'ahead')).toMatchObject({ ...TODAY, dayCount: 0, monthCount: 0 });
  expect(await loadUse(db, 'here')).toMatchObject({ ...TODAY, dayCount: 7, monthCount: 8 });
  await db.close();
});
