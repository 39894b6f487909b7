import { expect, test } from 'vitest';
import {
  type Permission,
  PERMISSIONS,
  authorise,
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
 * Expected access of operator, owner, member and key: y (yes), n (no), f (with a fresh password).
 */
const TABLE: Readonly<Record<Permission, string>> = {
  'usage.read': 'yyyy',
  'requests.read': 'yyyy',
  'keys.list': 'yyyy',
  'keys.create': 'yyyy',
  'keys.change': 'yyyy',
  'keys.roll': 'yyyy',
  'keys.revoke': 'yyyy',
  'data.read': 'yyyn',
  'webhooks.read': 'yyyy',
  'webhooks.change': 'yyyy',
  'webhooks.redeliver': 'yyyy',
  'webhook-secrets.reveal': 'ffnn',
  'webhook-secrets.rotate': 'yynn',
  'people.list': 'yyyn',
  'people.invite': 'yynn',
  'people.change': 'yynn',
  'audit.read': 'yynn',
  'customer.read': 'yyyy',
  'customer.rename': 'yynn',
  'customer.create': 'ynnn',
  'customer.plan': 'ynnn',
  'customer.suspend': 'ynnn',
  'customer.delete': 'fnnn',
  'customers.list': 'ynnn',
  'plans.read': 'ynnn',
  'plans.change': 'ynnn',
  'operators.list': 'ynnn',
  'operators.create': 'fnnn',
  'operators.change': 'fnnn',
  'ingest.read': 'ynnn',
  'ingest.run': 'ynnn',
  'quarantine.decide': 'ynnn',
  'data.explore': 'ynnn',
  'calendar.override': 'ynnn',
  'system.read': 'ynnn',
  'quotas.reset': 'ynnn',
  'system-audit.read': 'ynnn',
};

const acts = Object.keys(PERMISSIONS) as Permission[];
const cells = acts.flatMap((act) =>
  (['operator', 'owner', 'member', 'key'] as const).map(
    (who, at) => [who, act, TABLE[act][at] ?? ''] as const,
  ),
);

test.each(cells)('%s, %s: %s', (who, act, expected) => {
  const customerId = PERMISSIONS[act].scope === 'customer' ? 'cus_a' : null;
  const isAllowed = authorise(WHO[who], act, { customerId, now: NOW }) === 'allowed';
  expect(isAllowed).toBe(expected !== 'n');
});

test('what asks for a fresh password takes it for ten minutes', () => {
  for (const act of acts) {
    const customerId = PERMISSIONS[act].scope === 'customer' ? 'cus_a' : null;
    const after = (ms: number) =>
      authorise(person('operator', NOW - ms), act, { customerId, now: NOW });
    expect(after(FRESH_MS - 1)).toBe('allowed');
    const isAsked = TABLE[act].includes('f');
    expect(after(FRESH_MS)).toBe(isAsked ? 'fresh-password-required' : 'allowed');
  }
});

test("another customer's things do not exist, for everybody but operators", () => {
  for (const act of acts) {
    for (const who of [WHO.owner, WHO.member, KEY]) {
      expect(authorise(who, act, { customerId: 'cus_b', now: NOW })).toBe('not-found');
    }
    expect(authorise(WHO.operator, act, { customerId: 'cus_b', now: NOW })).toBe('allowed');
  }
});

test("an act that is not in the table is nobody's, and no customer is not every customer", () => {
  for (const who of Object.values(WHO)) {
    for (const act of ['keys.print', 'toString', '__proto__', '']) {
      const decision = authorise(who, act as Permission, { customerId: 'cus_a', now: NOW });
      expect(decision).toBe('forbidden');
    }
    expect(authorise(who, 'keys.list', { customerId: null, now: NOW })).toBe('forbidden');
  }
});
