import type { Instant } from '../platform/instant.ts';

/** `operator` runs the service; `owner` and `member` belong to one customer. */
export type Role = 'operator' | 'owner' | 'member';

/** Who asks: a person with a session, or a key with the scope `manage`. */
export type Principal =
  | { kind: 'person'; role: Role; customerId: string | null; passwordAt: Instant }
  | { kind: 'key'; customerId: string };

interface Rule {
  roles: readonly Role[];
  /** Whether a management key of the customer may. */
  key: boolean;
  /** On whose things: a customer's, or the service's, which only operators touch. */
  on: 'customer' | 'service';
  /** Whether the password must have been given in the last ten minutes. */
  fresh: boolean;
}

const everyone = { roles: ['operator', 'owner', 'member'], on: 'customer', fresh: false } as const;
const owners = { roles: ['operator', 'owner'], on: 'customer', fresh: false } as const;
const operators = { roles: ['operator'], key: false, on: 'service', fresh: false } as const;

/**
 * Who may do what. An act that is not here is nobody's. Management keys do what programs need: they
 * neither invite people nor see a secret.
 */
export const ACTS = {
  'usage.read': { ...everyone, key: true },
  'requests.read': { ...everyone, key: true },
  'keys.list': { ...everyone, key: true },
  'keys.create': { ...everyone, key: true },
  'keys.change': { ...everyone, key: true },
  'keys.roll': { ...everyone, key: true },
  'keys.revoke': { ...everyone, key: true },
  'data.read': { ...everyone, key: false },
  'webhooks.read': { ...everyone, key: true },
  'webhooks.change': { ...everyone, key: true },
  'webhooks.redeliver': { ...everyone, key: true },
  'webhook-secrets.reveal': { ...owners, key: false, fresh: true },
  'webhook-secrets.rotate': { ...owners, key: false },
  'people.list': { ...everyone, key: false },
  'people.invite': { ...owners, key: false },
  'people.change': { ...owners, key: false },
  'audit.read': { ...owners, key: false },
  'customer.read': { ...everyone, key: true },
  'customer.rename': { ...owners, key: false },
  'customer.create': operators,
  'customer.plan': operators,
  'customer.suspend': operators,
  'customer.delete': { ...operators, fresh: true },
  'customers.list': operators,
  'plans.read': operators,
  'plans.change': operators,
  'operators.list': operators,
  'operators.create': { ...operators, fresh: true },
  'operators.change': { ...operators, fresh: true },
  'ingest.read': operators,
  'ingest.run': operators,
  'quarantine.decide': operators,
  'data.explore': operators,
  'calendar.override': operators,
  'system.read': operators,
  'quotas.reset': operators,
  'system-audit.read': operators,
} as const satisfies Record<string, Rule>;

export type Act = keyof typeof ACTS;

export type Decision =
  | 'allowed'
  /** It is another customer's: answered as if it did not exist. */
  | 'not-found'
  | 'forbidden'
  /** Allowed once the password is given again. */
  | 'fresh-password-required';

export const FRESH_MS = 10 * 60_000;

/** `customerId` is whose thing it is; null for a thing of the service. */
export function authorise(
  who: Principal,
  act: Act,
  on: { customerId: string | null; now: Instant },
): Decision {
  const rule: Rule | undefined = Object.hasOwn(ACTS, act) ? ACTS[act] : undefined;
  const isOperator = who.kind === 'person' && who.role === 'operator';
  if (!isOperator && on.customerId !== null && on.customerId !== who.customerId) return 'not-found';
  if (rule === undefined) return 'forbidden';
  if (rule.on === 'customer' && on.customerId === null) return 'forbidden';
  if (who.kind === 'key') return rule.key ? 'allowed' : 'forbidden';
  if (!rule.roles.includes(who.role)) return 'forbidden';
  return rule.fresh && !isFresh(who.passwordAt, on.now) ? 'fresh-password-required' : 'allowed';
}

/** Whether a password was given in the last ten minutes. */
export function isFresh(passwordAt: Instant, now: Instant): boolean {
  return now - passwordAt < FRESH_MS;
}
