import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountWorld, addCustomer, TESTER } from '../../test/support/account-world.ts';
import { memoryLog } from '../../test/support/logs.ts';
import { memoryStore } from '../../test/support/stores.ts';
import { createKey } from '../accounts/keys/create-key.ts';
import type { Db } from '../storage/db.ts';
import { mirrorAuditEvents } from './audit-mirror.ts';

let db: Db;
beforeAll(async () => {
  db = await memoryStore();
});
afterAll(() => db.close());

test('logs each committed audit event with the address of its actor', async () => {
  const log = memoryLog();
  const deps = { ...accountWorld(db), db: mirrorAuditEvents(db, log) };
  const customerId = await addCustomer(deps, 'A');
  const created = await createKey(deps, { customerId, kind: 'live' }, TESTER);
  const subject = created.kind === 'created' ? created.record.id : null;
  const { address } = TESTER;
  expect(log.entries.map(({ fields }) => fields)).toMatchObject([
    { event: 'audit.recorded', action: 'customer.create', subject: customerId },
    { event: 'audit.recorded', action: 'key.create', subject, customerId, address },
  ]);
});

test('does not log an audit event that was rolled back', async () => {
  const log = memoryLog();
  const deps = { ...accountWorld(db), db: mirrorAuditEvents(db, log) };
  await expect(recordThenFail(deps)).rejects.toThrow('stop');
  expect(log.entries).toEqual([]);
});

/** Records an action in a transaction that then fails. */
function recordThenFail(deps: ReturnType<typeof accountWorld>): Promise<never> {
  return deps.db.transaction(async (tx) => {
    tx.note?.([
      {
        kind: 'action',
        id: 1,
        at: 0,
        action: 'key.create',
        actor: 'cli command line',
        address: null,
        subject: null,
        customerId: null,
      },
    ]);
    throw new Error('stop');
  });
}
