import type { Clock } from '../../platform/clock.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Random } from '../../platform/random.ts';
import type { Db, Transaction } from '../../storage/db.ts';
import { hashKey, makeKey, shownParts } from './key-format.ts';
import type { KeyKind } from './key-format.ts';
import { findCustomer, insertCustomer, insertKey } from './key-store.ts';

export type CreatedKey =
  | { kind: 'created'; key: string; id: string; customerId: string }
  /** A customer of that name exists on another plan: changing it is not this call's to do. */
  | { kind: 'other-plan'; plan: string };

/**
 * Makes a key for a customer, who is created when no one has that name; without a name the key gets
 * a customer of its own. `key` is the only time the key is seen: the store keeps its SHA-256.
 */
export function createKey(
  deps: { db: Db; clock: Clock; random: Random },
  options: { plan: string; kind: KeyKind; customerName?: string; expiresAt?: Instant },
): Promise<CreatedKey> {
  const key = makeKey(options.kind, deps.random);
  const id = makeId('key', deps.random);
  const createdAt = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const name = options.customerName ?? `Owner of ${id}`;
    const customer = await findOrCreateCustomer(tx, { name, plan: options.plan });
    if (customer.plan !== options.plan) return { kind: 'other-plan', plan: customer.plan };
    await insertKey(tx, {
      id,
      customerId: customer.id,
      hash: hashKey(key),
      ...shownParts(key),
      createdAt,
      expiresAt: options.expiresAt ?? null,
    });
    return { kind: 'created', key, id, customerId: customer.id };
  });

  async function findOrCreateCustomer(tx: Transaction, wanted: { name: string; plan: string }) {
    const found = await findCustomer(tx, wanted.name);
    if (found !== null) return found;
    const made = { id: makeId('cus', deps.random), ...wanted };
    await insertCustomer(tx, { ...made, createdAt });
    return made;
  }
}

/** `key_` or `cus_` and 80 random bits. */
function makeId(prefix: string, random: Random): string {
  return `${prefix}_${Buffer.from(random.bytes(10)).toString('hex')}`;
}
