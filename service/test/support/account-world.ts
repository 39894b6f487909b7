import { createCustomer } from '../../src/accounts/customers/customers.ts';
import type { AccountsDeps } from '../../src/accounts/deps.ts';
import { createKey } from '../../src/accounts/keys/create-key.ts';
import type { GivenTerms } from '../../src/accounts/keys/key-terms.ts';
import type { Actor } from '../../src/accounts/audit/record.ts';

/** Somebody who does things in tests. */
export const TESTER: Actor = {
  kind: 'person',
  id: 'per_tester',
  label: 'tester@example.com',
  address: '192.0.2.1',
};

/** A customer of a name of its own, and its id. */
export async function addCustomer(
  deps: AccountsDeps,
  name: string,
  plan: string = 'free',
): Promise<string> {
  const created = await createCustomer(deps, { name, plan }, TESTER);
  if (created.kind !== 'created') throw new Error(`customer ${name}: ${created.kind}`);
  return created.customer.id;
}

/** A key of a customer. */
export async function addKey(deps: AccountsDeps, customerId: string, terms: GivenTerms = {}) {
  const created = await createKey(deps, { customerId, kind: 'live', ...terms }, TESTER);
  if (created.kind !== 'created') throw new Error(`key: ${JSON.stringify(created)}`);
  return { key: created.key, id: created.record.id, customerId, record: created.record };
}
