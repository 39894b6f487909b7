import type { Transaction } from '../../storage/db.ts';
import { type Actor, recordAuditEvent } from '../audit-log.ts';
import { creationBy } from '../creator.ts';
import { lockCustomer } from '../customers/customer-store.ts';
import {
  type AccountsDeps,
  type Invalid,
  invalid,
  generateId,
  notFound,
  type NotFound,
} from '../deps.ts';
import type { ApiKey } from './api-key.ts';
import { hashKey, type KeyKind, generateKey, displayParts } from './key-format.ts';
import { countKeys, insertKey, lockKeys } from './key-store.ts';
import {
  exceedsCallerKey,
  type KeySettingsInput,
  type KeySettings,
  DEFAULT_KEY_SETTINGS,
  parseKeySettings,
} from './key-settings.ts';

/** Maximum number of active keys per customer. Revoked and expired keys are not active. */
export const KEYS_MAX = 100;

/** `key` is shown only once; the store keeps only its SHA-256. */
export type CreatedKey = { kind: 'created'; key: string; record: ApiKey } | NotFound | Invalid;

/** Creates a key for a customer. */
export function createKey(
  deps: AccountsDeps,
  options: { customerId: string; kind: KeyKind } & KeySettingsInput,
  actor: Actor,
): Promise<CreatedKey> {
  return deps.db.transaction((tx) => createKeyInTransaction(tx, deps, options, actor));
}

/** Like `createKey`, but runs inside the caller's transaction. */
export async function createKeyInTransaction(
  tx: Transaction,
  deps: Pick<AccountsDeps, 'clock' | 'random'>,
  options: { customerId: string; kind: KeyKind } & KeySettingsInput,
  actor: Actor,
): Promise<CreatedKey> {
  const { customerId } = options;
  const parsed = parseKeySettings(options, DEFAULT_KEY_SETTINGS, deps.clock.now());
  if (parsed.kind === 'invalid') return parsed;
  const customer = await lockCustomer(tx, customerId);
  if (customer === null) return notFound;
  // Locked before the caller's key is checked, so that a key that is being revoked creates no other.
  await lockKeys(tx);
  const problem = await exceedsCallerKey(tx, customerId, actor, parsed.settings);
  if (problem !== null) return problem;
  if ((await countKeys(tx, customerId, deps.clock.now())) >= KEYS_MAX) return TOO_MANY_KEYS;
  const { key, record } = await addKey(tx, deps, {
    ...options,
    id: generateId('key', deps.random),
    settings: parsed.settings,
    actor,
  });
  await recordAuditEvent(tx, {
    actor,
    at: record.createdAt,
    action: 'key.create',
    subject: record.id,
    customerId,
    details: describeKey(record),
  });
  const { name: customerName, plan, suspendedAt } = customer;
  return {
    kind: 'created',
    key,
    record: { ...record, customerName, plan, suspendedAt, move: null },
  };
}

export const TOO_MANY_KEYS = invalid(
  'customerId',
  `a customer has at most ${KEYS_MAX} keys; revoke one first`,
);

/** Generates a key and stores it. */
export async function addKey(
  tx: Transaction,
  deps: Pick<AccountsDeps, 'clock' | 'random'>,
  options: { id: string; customerId: string; kind: KeyKind; settings: KeySettings; actor: Actor },
) {
  const key = generateKey(options.kind, deps.random);
  const record = {
    id: options.id,
    customerId: options.customerId,
    ...options.settings,
    hash: hashKey(key),
    ...displayParts(key),
    createdAt: deps.clock.now(),
    disabledAt: null,
    revokedAt: null,
  };
  await insertKey(tx, { ...record, ...(await creationBy(tx, options.actor)) });
  return { key, record };
}

/** Returns the details of a key for the audit log. */
export function describeKey(key: KeySettings & { prefix: string; last4: string }) {
  const { name, scopes, allowedCidrs, expiresAt, prefix, last4 } = key;
  return { name, scopes, allowedCidrs, expiresAt, prefix, last4 };
}
