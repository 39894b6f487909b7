import { createKey } from '../../../src/accounts/keys/create-key.ts';
import { createCustomer } from '../../../src/accounts/customers/customers.ts';
import { insertSecret, generateSecret } from '../../../src/webhooks/secret/secret-store.ts';
import { addSubscriptions } from '../../../src/webhooks/subscription/subscription-store.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import type { Random } from '../../../src/platform/random.ts';
import { createSecretCipher, type SecretCipher } from '../../../src/platform/encryption.ts';
import type { Db } from '../../../src/storage/db.ts';
import { template } from '../../../src/webhooks/templates/earnings-schedule.ts';
import { TESTER } from '../../support/account-world.ts';
import { SYMBOLS } from './companies.ts';

export interface SimulatedCustomer {
  id: string;
  key: string;
  perMinute: number;
  perDay: number | null;
  perMonth: number | null;
}

export interface SimulatedEndpoint {
  id: string;
  url: string;
  secret: string;
  symbols: readonly string[];
}

export interface Accounts {
  /** The first customer has practically no limits. */
  customers: SimulatedCustomer[];
  endpoints: SimulatedEndpoint[];
  cipher: SecretCipher;
}

const PLANS = [
  { name: 'sim-open', perMinute: 100_000, perDay: null, perMonth: null },
  { name: 'sim-small', perMinute: 5, perDay: 12, perMonth: 90 },
  { name: 'sim-days', perMinute: 4, perDay: 9, perMonth: null },
] as const;

const ENDPOINTS = 4;

/**
 * Adds customers with keys on small plans, and endpoints with subscriptions, before any data
 * arrives.
 */
export async function addAccounts(deps: {
  db: Db;
  clock: Clock;
  random: Random;
}): Promise<Accounts> {
  const { db, clock, random } = deps;
  const cipher = createSecretCipher([random.bytes(32)], random);
  const customers: SimulatedCustomer[] = [];
  for (const plan of PLANS) {
    const { name, perMinute, perDay, perMonth } = plan;
    await db.query(
      `insert into plan (name, per_minute, per_day, per_month) values ($1, $2, $3, $4)`,
      [name, perMinute, perDay, perMonth],
    );
    const created = await createCustomer(deps, { name: `Customer ${name}`, plan: name }, TESTER);
    if (created.kind !== 'created') throw new Error(`no customer: ${created.kind}`);
    const customerId = created.customer.id;
    const key = await createKey(deps, { customerId, kind: 'live' }, TESTER);
    if (key.kind !== 'created') throw new Error(`no key: ${key.kind}`);
    customers.push({ id: customerId, key: key.key, perMinute, perDay, perMonth });
  }
  const endpoints: SimulatedEndpoint[] = [];
  for (let n = 0; n < ENDPOINTS; n += 1) {
    const customerId = customers[n % customers.length]?.id ?? '';
    const id = `we_sim${n}`;
    const url = `https://receiver${n}.example/hook`;
    const secret = generateSecret(random);
    const symbols = SYMBOLS.filter((_, place) => place % 2 === n % 2 || n === 0);
    await db.query(
      `insert into webhook_endpoint (id, customer_id, url, created_at, updated_at)
       values ($1, $2, $3, to_timestamp($4 / 1000.0), to_timestamp($4 / 1000.0))`,
      [id, customerId, url, clock.now()],
    );
    await db.transaction(async (tx) => {
      await insertSecret(tx, cipher, { endpointId: id, role: 'current', secret, now: clock.now() });
      const subscriptions = symbols.map((symbol) => {
        return { templateId: template.templateId, symbol, data: null };
      });
      await addSubscriptions(tx, id, subscriptions, { now: clock.now() });
    });
    endpoints.push({ id, url, secret, symbols });
  }
  return { customers, endpoints, cipher };
}
