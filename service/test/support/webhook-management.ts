import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Route } from '../../src/http/management/route.ts';
import type { Db } from '../../src/storage/db.ts';
import { lockEndpoints } from '../../src/webhooks/endpoint/lock-endpoints.ts';
import { createDeliveries } from '../../src/webhooks/queue/open-deliveries.ts';
import { type Management, type Reply, startManagement } from './management-server.ts';
import { memoryStore } from './stores.ts';
import { RECEIVER } from './webhook-fixtures.ts';

export const WEBHOOKS_PATH = '/account/v1/webhooks';
export const TEMPLATE = 'earnings_schedule';

type Person = Awaited<ReturnType<Management['person']>>;

/** The management API on a store of its own, with calls by the owner of one customer. */
export interface WebhookManagement {
  readonly db: Db;
  readonly management: Management;
  readonly customerId: string;
  /** The person who makes the calls. */
  owner: Person;
  /** Creates a customer that no other test uses. */
  newCustomer(): Promise<string>;
  call(method: Route['method'], path: string, body?: unknown): Promise<Reply>;
  /** Adds an endpoint. */
  add(): Promise<{ path: string; id: string; secret: unknown }>;
  /** Creates deliveries for the endpoint one second apart, as the worker does. */
  open(endpointId: string, ...symbols: string[]): Promise<string[]>;
  /** Moves a delivery to a final state. */
  end(deliveryId: string, state: string): Promise<unknown>;
}

/** Registers hooks that start the API once for a test file, with a new customer for each test. */
export function useWebhookManagement(): WebhookManagement {
  let db: Db;
  let management: Management;
  let customerId: string;
  let owner: Person;
  let customers = 0;

  beforeAll(async () => {
    db = await memoryStore();
    management = await startManagement(db);
  });
  beforeEach(async () => {
    customerId = await newCustomer();
    owner = await management.person('owner', customerId);
  });
  afterAll(async () => {
    await management.stop();
    await db.close();
  });

  function newCustomer(): Promise<string> {
    customers += 1;
    return management.customer(`Quiet Pine ${customers}`);
  }

  function call(method: Route['method'], path: string, body?: unknown): Promise<Reply> {
    const { headers } = owner;
    return management.call(method, path, body === undefined ? { headers } : { headers, body });
  }

  return {
    get db() {
      return db;
    },
    get management() {
      return management;
    },
    get customerId() {
      return customerId;
    },
    get owner() {
      return owner;
    },
    set owner(person) {
      owner = person;
    },
    newCustomer,
    call,
    async add() {
      const { status, json } = await call('POST', WEBHOOKS_PATH, { url: RECEIVER });
      expect(status).toBe(201);
      return { path: `${WEBHOOKS_PATH}/${json.id}`, id: json.id, secret: json['secret'] };
    },
    open: (endpointId, ...symbols) => openDeliveries({ db, management }, endpointId, symbols),
    end: (id, state) => db.query('update delivery set state = $2 where id = $1', [id, state]),
  };
}

async function openDeliveries(
  { db, management }: { db: Db; management: Management },
  endpointId: string,
  symbols: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const symbol of symbols) {
    await management.clock.advance(1_000);
    const { deps } = management;
    const opened = await db.transaction(async (tx) => {
      const endpoint = (await lockEndpoints(tx, [endpointId])).get(endpointId);
      if (endpoint === undefined) throw new Error('no endpoint');
      const now = deps.clock.now();
      const kind = { templateId: TEMPLATE, eventType: `${TEMPLATE}.changed` };
      const subject = { endpoint, ...kind, symbol, changedAt: now };
      return createDeliveries({ tx, random: deps.random }, [subject], { now });
    });
    ids.push(...opened);
  }
  return ids;
}
