import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DESCRIBED_ACTIONS, describeAction } from './action-descriptions.ts';
import { AUDIT_TOPICS } from './audit-topics.ts';

const AUDIT_LOG = new URL('../../../service/src/accounts/audit-log.ts', import.meta.url);

/** Returns the members of the service's `AuditAction` union. */
function serviceActions(): string[] {
  const [, union = ''] = /type AuditAction =([^;]+);/.exec(readFileSync(AUDIT_LOG, 'utf8')) ?? [];
  return [...union.matchAll(/'([^']+)'/g)].map(([, action = '']) => action);
}

test('describes exactly the audit actions that the service records', () => {
  const actions = serviceActions();
  expect(actions.length).toBeGreaterThan(40);
  expect([...DESCRIBED_ACTIONS].toSorted()).toEqual(actions.toSorted());
});

test("includes the details in an audit event's description, and leaves no gap for a missing detail", () => {
  const details = { name: 'night job', prefix: 'eds_live_ab12', last4: 'Zq9x' };
  expect([
    describeAction('key.create', details),
    describeAction('key.revoke', { prefix: 'eds_live_ab12', last4: 'Zq9x' }),
    describeAction('person.change-role', { email: 'ida@example.com', role: 'owner' }),
    describeAction('webhook.create', {}),
    describeAction('webhook.change', { url: 'https://a.example/' }),
    describeAction('webhook.change', { url: 'https://a.example/', enabled: false }),
  ]).toEqual([
    'created API key night job (eds_live_ab12…Zq9x)',
    'revoked API key eds_live_ab12…Zq9x',
    'changed the role of ida@example.com to owner',
    'created an endpoint',
    'updated endpoint https://a.example/',
    'updated and disabled endpoint https://a.example/',
  ]);
});

test('describes the acceptance of an invitation as joining the account', () => {
  const details = { email: 'ida@example.com', role: 'owner' };
  expect([
    describeAction('person.create', details, 'ida@example.com'),
    describeAction('person.create', details, 'you@example.com'),
  ]).toEqual(['joined as owner', 'added ida@example.com as owner']);
});

test('describes an unknown audit action by its name', () => {
  expect(describeAction('moon.land', {})).toBe('moon.land');
});

test('has an audit filter topic for every action and an action for every topic', () => {
  const prefixes = AUDIT_TOPICS.service.map(({ value }) => value);
  const actions = [...DESCRIBED_ACTIONS];
  expect(actions.filter((action) => !prefixes.some((begin) => action.startsWith(begin)))).toEqual(
    [],
  );
  expect(prefixes.filter((begin) => !actions.some((action) => action.startsWith(begin)))).toEqual(
    [],
  );
  expect(prefixes).toEqual(expect.arrayContaining(AUDIT_TOPICS.account.map(({ value }) => value)));
});
