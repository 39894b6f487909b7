import { expect, test } from 'vitest';
import {
  type Permission,
  PERMISSIONS,
  authorize,
  FRESH_MS,
  type Principal,
  type Role,
} from './permissions.ts';

const NOW = 1_000_000_000;
const person = (role: Role, passwordAt = NOW): Principal => ({
  kind: 'person',
  role,
  customerId: role === 'operator' ? null : 'cus_a',
  passwordAt,
});
const KEY: Principal = { kind: 'key', customerId: 'cus_a' };
const WHO = {
  operator: person('operator'),
  owner: person('owner'),
  member: person('member'),
  key: KEY,
};

/**
 * Expected access for operator, owner, member and key, in this order: y (yes), n (no) or f (only
 * with a fresh password).
 */
const TABLE: Readonly<Record<Permission, string>> = {
  'usage.read': 'yyyy',
  'requests.read': 'yyyy',
  'keys.list': 'yyyy',
  'keys.create': 'yyyy',
  'keys.change': 'yyyy',
  'keys.roll': 'fffy',
  'keys.revoke': 'yyyy',
  'data.read': 'yyyn',
  'webhooks.read': 'yyyy',
  'webhooks.change': 'yyyy',
  'webhooks.redeliver': 'yyyy',
  'watchlists.read': 'yyyy',
  'watchlists.change': 'yyyy',
  'webhook-secrets.reveal': 'ffnn',
  'webhook-secrets.rotate': 'ffnn',
  'people.list': 'yyyn',
  'people.invite': 'ffnn',
  'people.change': 'ffnn',
  'audit.read': 'yynn',
  'customer.read': 'yyyy',
  'customer.rename': 'yynn',
  'customer.create': 'ynnn',
  'customer.plan': 'fnnn',
  'customer.suspend': 'fnnn',
  'customer.delete': 'fnnn',
  'customers.list': 'ynnn',
  'plans.read': 'ynnn',
  'plans.change': 'fnnn',
  'operators.list': 'ynnn',
  'operators.create': 'fnnn',
  'operators.change': 'fnnn',
  'ingest.read': 'ynnn',
  'ingest.run': 'ynnn',
  'quarantine.decide': 'ynnn',
  'data.explore': 'ynnn',
  'calendar.override': 'fnnn',
  'system.read': 'ynnn',
  'quotas.reset': 'fnnn',
  'system-audit.read': 'ynnn',
};

const permissions = Object.keys(PERMISSIONS) as Permission[];
const cells = permissions.flatMap((permission) =>
  (['operator', 'owner', 'member', 'key'] as const).map(
    (principal, at) => [principal, permission, TABLE[permission][at] ?? ''] as const,
  ),
);

test.each(cells)('decides whether the role %s may %s: %s', (principal, permission, expected) => {
  const customerId = PERMISSIONS[permission].scope === 'customer' ? 'cus_a' : null;
  const isAllowed = authorize(WHO[principal], permission, { customerId, now: NOW }) === 'allowed';
  expect(isAllowed).toBe(expected !== 'n');
});

test('treats a password as fresh for ten minutes after it was entered', () => {
  for (const permission of permissions) {
    const customerId = PERMISSIONS[permission].scope === 'customer' ? 'cus_a' : null;
    const decisionAfter = (ms: number) =>
      authorize(person('operator', NOW - ms), permission, { customerId, now: NOW });
    expect(decisionAfter(FRESH_MS - 1)).toBe('allowed');
    const isAsked = TABLE[permission].includes('f');
    expect(decisionAfter(FRESH_MS)).toBe(isAsked ? 'fresh-password-required' : 'allowed');
  }
});

test('reports objects that belong to another customer as missing, except to operators', () => {
  for (const permission of permissions) {
    for (const principal of [WHO.owner, WHO.member, KEY]) {
      expect(authorize(principal, permission, { customerId: 'cus_b', now: NOW })).toBe('not-found');
    }
    expect(authorize(WHO.operator, permission, { customerId: 'cus_b', now: NOW })).toBe('allowed');
  }
});

test('denies unlisted permissions, and customer permissions when the customer is null', () => {
  for (const principal of Object.values(WHO)) {
    for (const permission of ['keys.print', 'toString', '__proto__', '']) {
      const decision = authorize(principal, permission as Permission, {
        customerId: 'cus_a',
        now: NOW,
      });
      expect(decision).toBe('forbidden');
    }
    expect(authorize(principal, 'keys.list', { customerId: null, now: NOW })).toBe('forbidden');
  }
});
