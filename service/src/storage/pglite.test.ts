import { expect, test } from 'vitest';
import { memoryStore } from '../../test/support/stores.ts';
import { describeDriver } from './conformance.ts';
import { StoreUnavailableError } from './errors.ts';
import { openPglite } from './pglite.ts';

describeDriver('embedded store', memoryStore);

test('when the thread dies, every call under way and every later one is told so', async () => {
  const db = await openPglite({ dataDir: 'memory://' });
  const calls = [
    db.query('select 1 from generate_series(1, 3000000)'),
    db.query('select 2'),
    db.transaction((tx) => tx.query('select 3')),
  ];
  const settled = Promise.allSettled(calls);
  await db.endThread();
  for (const call of await settled) {
    expect(call).toMatchObject({ status: 'rejected' });
    expect(call.status === 'rejected' && call.reason).toBeInstanceOf(StoreUnavailableError);
  }
  await expect(db.query('select 1')).rejects.toThrow('The embedded store is gone');
  await expect(db.close()).resolves.toBeUndefined();
});

test('a folder that cannot be opened fails with a reason', async () => {
  const open = openPglite({ dataDir: '/dev/null/nowhere' });
  await expect(open).rejects.toThrow('could not be opened');
});
