import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountWorld, addCustomer } from '../../../test/support/account-world.ts';
import { runCommand } from '../../../test/support/run-command.ts';
import { memoryStore } from '../../../test/support/stores.ts';
import type { Db } from '../../storage/db.ts';
import { checkAudit } from '../doctor/check-audit.ts';
import { command } from './audit.ts';

let db: Db;
beforeAll(async () => {
  db = await memoryStore();
});
afterAll(() => db.close());

test('names the first audit event that was changed, in audit verify and in doctor', async () => {
  const world = accountWorld(db);
  const [first, second] = [await addCustomer(world, 'A'), await addCustomer(world, 'B')];
  const verify = () => runCommand(command, world, ['verify']);
  expect((await verify()).out).toBe('2 audit events in 2 chains are intact\n');
  expect(await checkAudit(db)).toMatchObject({ state: 'ok' });
  const [event] = await db.query<{ id: number }>(
    `update audit_event set address = '192.0.2.66' where customer_id = $1 returning id`,
    [first < second ? first : second],
  );
  const message = `audit event ${event?.id}`;
  expect((await verify()).error?.message).toContain(message);
  expect(await checkAudit(db)).toMatchObject({
    state: 'broken',
    message: expect.stringContaining(message) as string,
  });
});
