import { expect, test } from 'vitest';
import { memoryStore } from '../../../test/support/stores.ts';
import { migrate, MIGRATIONS_FOLDER } from './migrate.ts';

/** The last version in which a person belongs to one customer. */
const OLD_VERSION = 65;

test('gives existing people one membership each, which their sessions show', async () => {
  const db = await memoryStore();
  await db.execute('drop schema public cascade; create schema public');
  await migrate(db, MIGRATIONS_FOLDER, OLD_VERSION);
  await db.execute(`
    insert into customer (id, name, plan, created_at) values ('cus_a', 'A', 'free', now());
    insert into person (id, email, email_key, role, customer_id, created_at, disabled_at) values
      ('per_op', 'op@example.com', 'op@example.com', 'operator', null, '2026-01-01Z', null),
      ('per_off', 'off@example.com', 'off@example.com', 'member', 'cus_a', '2026-01-02Z',
       '2026-01-03Z'),
      ('per_own', 'own@example.com', 'own@example.com', 'owner', 'cus_a', '2026-01-02Z', null);
    insert into session (id, person_id, token_hash, created_at, last_seen_at, expires_at, password_at)
      select 'ses_' || id, id, decode(md5(id), 'hex'), now(), now(), now(), now() from person`);
  await migrate(db, MIGRATIONS_FOLDER);
  const rows = await db.query(
    `select m.person_id as id, m.customer_id, role, m.created_at::text || m.used_at::text as at,
            m.disabled_at is not null as "isDisabled", s.customer_id as shown
       from membership m join session s on s.person_id = m.person_id order by m.person_id`,
  );
  const at = (day: number) => `2026-01-0${day} 00:00:00+002026-01-0${day} 00:00:00+00`;
  const inA = { customer_id: 'cus_a', shown: 'cus_a', at: at(2) };
  expect(rows).toEqual([
    { id: 'per_off', ...inA, role: 'member', isDisabled: true },
    {
      id: 'per_op',
      customer_id: null,
      shown: null,
      at: at(1),
      role: 'operator',
      isDisabled: false,
    },
    { id: 'per_own', ...inA, role: 'owner', isDisabled: false },
  ]);
  // The address no longer blocks another account.
  await db.execute(`insert into person (id, email, email_key, created_at)
    values ('per_two', 'Own@example.com', 'own@example.com', now())`);
});
