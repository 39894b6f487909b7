import { expect, test } from 'vitest';
import { memoryStore } from '../../../test/support/stores.ts';
import { migrate, MIGRATIONS_FOLDER } from './migrate.ts';

/** The last version that does not record who created keys and endpoints. */
const OLD_VERSION = 60;

test('names the creators of existing keys and endpoints from the audit log', async () => {
  const db = await memoryStore();
  await db.execute('drop schema public cascade; create schema public');
  await migrate(db, MIGRATIONS_FOLDER, OLD_VERSION);
  await db.execute(`
    insert into customer (id, name, plan, created_at) values ('cus_a', 'A', 'free', now());
    insert into api_key (id, customer_id, hash, prefix, last4, created_at)
      select id, 'cus_a', decode(md5(id), 'hex'), 'p', 'l', now()
        from unnest(array['key_first', 'key_heir', 'key_rolled', 'key_cli', 'key_unknown']) as id;
    insert into webhook_endpoint (id, customer_id, url, created_at, updated_at)
      values ('whe_heir', 'cus_a', 'https://a.example', now(), now());
    insert into audit_event (at, actor_kind, actor_id, actor_label, act, subject, details) values
      (now(), 'person', 'per_a', 'a@example.com', 'key.create', 'key_first', '{}'),
      (now(), 'key', 'key_first', 'p…l', 'key.create', 'key_heir', '{}'),
      (now(), 'person', 'per_b', 'b@example.com', 'key.roll', 'key_first',
       '{"newKey": "key_rolled"}'),
      (now(), 'cli', null, 'command line', 'key.create', 'key_cli', '{}'),
      (now(), 'key', 'key_heir', 'p…l', 'webhook.create', 'whe_heir', '{}')`);
  await migrate(db, MIGRATIONS_FOLDER);
  const rows = await db.query(
    `select id, created_by ->> 'label' as label, created_by_person as person from (
       select id, created_by, created_by_person from api_key
       union all select id, created_by, created_by_person from webhook_endpoint) as object
      order by id`,
  );
  expect(rows).toEqual([
    { id: 'key_cli', label: 'command line', person: null },
    { id: 'key_first', label: 'a@example.com', person: 'per_a' },
    { id: 'key_heir', label: 'p…l', person: 'per_a' },
    { id: 'key_rolled', label: 'b@example.com', person: 'per_b' },
    { id: 'key_unknown', label: null, person: null },
    { id: 'whe_heir', label: 'p…l', person: 'per_a' },
  ]);
});
