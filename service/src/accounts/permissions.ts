import type { Instant } from '../platform/instant.ts';

/** `operator` runs the service; `owner` and `member` belong to a customer. */
export type Role = 'operator' | 'owner' | 'member';

/** The caller: a person with a session, or a key with the `manage` scope. */
export type Principal =
  | { kind: 'person'; role: Role; customerId: string | null; passwordAt: Instant }
  | { kind: 'key'; customerId: string };

interface Rule {
  roles: readonly Role[];
  /** True if the customer's management keys have this permission. */
  allowsKey: boolean;
  /**
   * `customer` if the permission covers a customer's objects, or `service` if it covers the
   * service's, which only operators manage.
   */
  scope: 'customer' | 'service';
  /**
   * True if a person must have entered the password in the last ten minutes. An unattended browser
   * must not give away secrets, lasting access, or the service itself.
   */
  needsFreshPassword: boolean;
}

const everyRole = {
  roles: ['operator', 'owner', 'member'],
  scope: 'customer',
  needsFreshPassword: false,
} as const;
const owners = {
  roles: ['operator', 'owner'],
  scope: 'customer',
  needsFreshPassword: false,
} as const;
const operators = {
  roles: ['operator'],
  allowsKey: false,
  scope: 'service',
  needsFreshPassword: false,
} as const;

/**
 * The roles that have each permission. Anything not listed here is denied. Management keys can do
 * what programs need; they cannot invite people or read secrets.
 */
export const PERMISSIONS = {
  'usage.read': { ...everyRole, allowsKey: true },
  'requests.read': { ...everyRole, allowsKey: true },
  'keys.list': { ...everyRole, allowsKey: true },
  'keys.create': { ...everyRole, allowsKey: true },
  'keys.change': { ...everyRole, allowsKey: true },
  'keys.roll': { ...everyRole, allowsKey: true, needsFreshPassword: true },
  'keys.revoke': { ...everyRole, allowsKey: true },
  'data.read': { ...everyRole, allowsKey: false },
  'webhooks.read': { ...everyRole, allowsKey: true },
  'webhooks.change': { ...everyRole, allowsKey: true },
  'webhooks.redeliver': { ...everyRole, allowsKey: true },
  'watchlists.read': { ...everyRole, allowsKey: true },
  'watchlists.change': { ...everyRole, allowsKey: true },
  'webhook-secrets.reveal': { ...owners, allowsKey: false, needsFreshPassword: true },
  'webhook-secrets.rotate': { ...owners, allowsKey: false, needsFreshPassword: true },
  'people.list': { ...everyRole, allowsKey: false },
  'people.invite': { ...owners, allowsKey: false, needsFreshPassword: true },
  'people.change': { ...owners, allowsKey: false, needsFreshPassword: true },
  'audit.read': { ...owners, allowsKey: false },
  'customer.read': { ...everyRole, allowsKey: true },
  'customer.rename': { ...owners, allowsKey: false },
  'customer.create': operators,
  'customer.plan': { ...operators, needsFreshPassword: true },
  'customer.suspend': { ...operators, needsFreshPassword: true },
  'customer.delete': { ...operators, needsFreshPassword: true },
  'customers.list': operators,
  'plans.read': operators,
  'plans.change': { ...operators, needsFreshPassword: true },
  'operators.list': operators,
  'operators.create': { ...operators, needsFreshPassword: true },
  'operators.change': { ...operators, needsFreshPassword: true },
  'ingest.read': operators,
  'ingest.run': operators,
  'quarantine.decide': operators,
  'data.explore': operators,
  'calendar.override': { ...operators, needsFreshPassword: true },
  'system.read': operators,
  'quotas.reset': { ...operators, needsFreshPassword: true },
  'system-audit.read': operators,
} as const satisfies Record<string, Rule>;

export type Permission = keyof typeof PERMISSIONS;

export type Authorization =
  | 'allowed'
  /** The object belongs to another customer and is reported as missing. */
  | 'not-found'
  | 'forbidden'
  /** The action is allowed once the password has been entered again. */
  | 'fresh-password-required';

/** The people who must use two-factor authentication. */
export type SecondFactorRule = 'off' | 'operators' | 'everyone';

/** Returns true for a person who may only manage their own sign-in until they add a second factor. */
export function mustAddSecondFactor(
  { role, hasSecondFactor }: { role: Role; hasSecondFactor: boolean },
  rule: SecondFactorRule,
): boolean {
  if (hasSecondFactor || rule === 'off') return false;
  return rule === 'everyone' || role === 'operator';
}

export const FRESH_MS = 10 * 60_000;

/**
 * Decides whether the caller has a permission for an object. `customerId` identifies the customer
 * that owns the object, or is null for the service.
 */
export function authorize(
  principal: Principal,
  permission: Permission,
  target: { customerId: string | null; now: Instant },
): Authorization {
  const rule: Rule | undefined = Object.hasOwn(PERMISSIONS, permission)
    ? PERMISSIONS[permission]
    : undefined;
  const isOperator = principal.kind === 'person' && principal.role === 'operator';
  if (!isOperator && target.customerId !== null && target.customerId !== principal.customerId)
    return 'not-found';
  if (rule === undefined) return 'forbidden';
  if (rule.scope === 'customer' && target.customerId === null) return 'forbidden';
  if (principal.kind === 'key') return rule.allowsKey ? 'allowed' : 'forbidden';
  if (!rule.roles.includes(principal.role)) return 'forbidden';
  return rule.needsFreshPassword && !isFresh(principal.passwordAt, target.now)
    ? 'fresh-password-required'
    : 'allowed';
}

/** Checks whether the password was entered in the last ten minutes. */
export function isFresh(passwordAt: Instant, now: Instant): boolean {
  return now - passwordAt < FRESH_MS;
}
