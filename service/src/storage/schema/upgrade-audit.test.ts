import { expect, test } from 'vitest';
import { memoryStore } from '../../../test/support/stores.ts';
import { verifyAuditChains } from '../../accounts/audit-chain.ts';
import { auditUrl } from '../../webhooks/address/audit-url.ts';
import { migrate, MIGRATIONS_FOLDER } from './migrate.ts';

/** The last version whose audit log kept whole webhook addresses and no hashes. */
const OLD_VERSION = 63;
const URLS = [
  'https://hooks.example/services/T0/SECRETPATH?token=SECRETQUERY',
  'https://hooks.example:8443/é',
  'https://hooks.example/',
  'https://hooks.example',
];

test('removes webhook addresses from existing audit events, and then chains the events', async () => {
  const db = await memoryStore();
  await db.execute('drop schema public cascade; create schema public');
  await migrate(db, MIGRATIONS_FOLDER, OLD_VERSION);
  for (const [index, url] of URLS.entries()) {
    await db.query(
      `insert into audit_event (at, actor_kind, actor_label, act, customer_id, details)
       values (now(), 'cli', 'command line', 'webhook.change', $1, $2::jsonb)`,
      [index % 2 === 0 ? null : 'cus_a', JSON.stringify({ url, urlBefore: url, enabled: true })],
    );
  }
  await migrate(db, MIGRATIONS_FOLDER);
  const rows = await db.query('select details from audit_event order by id');
  expect(rows).toEqual(
    URLS.map((url) => ({
      details: { url: auditUrl(url), urlBefore: auditUrl(url), enabled: true },
    })),
  );
  expect(JSON.stringify(rows)).not.toContain('SECRET');
  expect(JSON.stringify(rows)).toContain('https://hooks.example/…');
  expect(await verifyAuditChains(db)).toEqual({ events: 4, chains: 2, broken: null });
});
