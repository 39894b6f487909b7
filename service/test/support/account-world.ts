import { createCustomer } from '../../src/accounts/customers/customers.ts';
import type { AccountsDeps } from '../../src/accounts/deps.ts';
import { createKey } from '../../src/accounts/keys/create-key.ts';
import type { KeySettingsInput } from '../../src/accounts/keys/key-settings.ts';
import { type Actor, COMMAND_LINE } from '../../src/accounts/audit-log.ts';
import type { Role } from '../../src/accounts/permissions.ts';
import { createPasswordReset, resetPassword } from '../../src/accounts/people/password-reset.ts';
import { createPerson } from '../../src/accounts/people/people.ts';
import type { PersonRef } from '../../src/accounts/people/membership-store.ts';
import type { Person } from '../../src/accounts/people/person-store.ts';
import { fakeClock, type FakeClock } from './fake-clock.ts';
import { memoryLog } from './logs.ts';
import { seededRandom } from '../../src/platform/random.ts';
import { createSecretCipher, type SecretCipher } from '../../src/platform/encryption.ts';
import type { Db } from '../../src/storage/db.ts';

/** The actor recorded for all actions in tests. */
export const TESTER: Actor = {
  kind: 'person',
  id: 'per_tester',
  label: 'tester@example.com',
  address: '192.0.2.1',
};

/** A password that satisfies the password rules. */
export const PASSWORD = 'seven geese over a barn';

const ACCOUNTS_START = Date.UTC(2026, 10, 20, 15);

export interface AccountWorld extends AccountsDeps {
  clock: FakeClock;
  cipher: SecretCipher;
  log: ReturnType<typeof memoryLog>;
}

/** Creates the dependencies for account functions, with the test's store and a fake clock. */
export function accountWorld(db: Db): AccountWorld {
  const random = seededRandom(1);
  return {
    db,
    clock: fakeClock(ACCOUNTS_START),
    random,
    cipher: createSecretCipher([random.bytes(32)], random),
    log: memoryLog(),
  };
}

/** Creates a customer and returns its ID. */
export async function addCustomer(
  deps: AccountsDeps,
  name: string,
  plan: string = 'free',
): Promise<string> {
  const outcome = await createCustomer(deps, { name, plan }, TESTER);
  if (outcome.kind !== 'created') throw new Error(`customer ${name}: ${outcome.kind}`);
  return outcome.customer.id;
}

/** Creates an API key for a customer. */
export async function addKey(
  deps: AccountsDeps,
  customerId: string,
  settings: KeySettingsInput = {},
) {
  const outcome = await createKey(deps, { customerId, kind: 'live', ...settings }, TESTER);
  if (outcome.kind !== 'created') throw new Error(`key: ${JSON.stringify(outcome)}`);
  return { key: outcome.key, id: outcome.record.id, customerId, record: outcome.record };
}

/** Returns the reference to a person in their membership. */
export function refOf({ id: personId, customerId }: Pick<Person, 'id' | 'customerId'>): PersonRef {
  return { personId, customerId };
}

/** Creates a person, with the password `PASSWORD` unless `withPassword` is false. */
export async function addPerson(
  deps: AccountsDeps,
  email: string,
  options: { role?: Role; customerId?: string | null; withPassword?: boolean } = {},
): Promise<Person> {
  const { role = 'operator', customerId = null, withPassword = true } = options;
  const outcome = await createPerson(deps, { email, role, customerId }, TESTER);
  if (outcome.kind !== 'created') throw new Error(`person ${email}: ${outcome.kind}`);
  if (!withPassword) return outcome.person;
  const reset = await createPasswordReset(deps, refOf(outcome.person), COMMAND_LINE);
  if (reset.kind !== 'made') throw new Error(reset.kind);
  const input = { token: reset.token, password: PASSWORD, address: '192.0.2.1' };
  const resetOutcome = await resetPassword(deps, input);
  if (resetOutcome.kind !== 'changed') throw new Error(JSON.stringify(resetOutcome));
  return { ...outcome.person, hasPassword: true };
}
