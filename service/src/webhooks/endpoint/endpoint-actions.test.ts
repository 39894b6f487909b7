import { expect, test } from 'vitest';
import { addCustomer, TESTER } from '../../../test/support/account-world.ts';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { addEndpoint, RECEIVER, webhookWorld } from '../../../test/support/webhook-fixtures.ts';
import { listAuditEvents } from '../../accounts/audit-log.ts';
import { listAlerts } from './alerts.ts';
import { auditUrl } from '../address/audit-url.ts';
import {
  updateEndpoint,
  createEndpoint,
  deleteEndpoint,
  disableEndpointManually,
  enableEndpointManually,
  ENDPOINTS_MAX,
} from './endpoint-actions.ts';
import { disableEndpoint } from './endpoint-states.ts';
import { findEndpoint, listEndpoints } from './webhook-endpoint.ts';
import { lockEndpoints } from './lock-endpoints.ts';
import { createDeliveries } from '../queue/open-deliveries.ts';
import { activateSecret, prepareSecret } from '../secret/secret-actions.ts';
import { deleteSecret, insertSecret, loadSigningSecrets } from '../secret/secret-store.ts';
import { subscribe } from '../subscription/subscription-actions.ts';
import type { EndpointIds, WebhookDeps } from '../webhook-deps.ts';

onEachEngine((db) => {
  test('creates an enabled endpoint with a secret that only its cipher can decrypt', async () => {
    const deps = webhookWorld(db());
    const { secret, ...of } = await addEndpoint(deps, 'A');
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(await findEndpoint(deps.db, of)).toMatchObject({
      url: RECEIVER,
      description: '',
      isDev: false,
      disabledAt: null,
      subscriptionCount: 0,
      failureCount: 0,
      createdAt: deps.clock.now(),
    });
    const signing = await loadSigningSecrets(deps, [of.endpointId], deps.clock.now());
    expect(signing.get(of.endpointId)).toEqual({ current: secret, next: null, previous: null });
    const rows = await deps.db.query('select * from webhook_secret');
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6));
  });

  test.each([
    ['http://hooks.receiver.example/', 'https'],
    ['https://localhost/', 'public name'],
    ['https://169.254.169.254/', 'a name, not an address'],
    ['https://user:pass@hooks.receiver.example/', 'user name'],
  ])('rejects the endpoint URL %s and explains how to fix it', async (url, said) => {
    const deps = webhookWorld(db());
    const customerId = await addCustomer(deps, 'A');
    expect(await createEndpoint(deps, { customerId, url }, TESTER)).toEqual({
      kind: 'invalid',
      parameter: 'url',
      detail: expect.stringContaining(said) as string,
    });
    expect(await listEndpoints(deps.db, null)).toEqual([]);
  });

  test('requires a secret that libraries for Standard Webhooks can read', async () => {
    const deps = webhookWorld(db());
    const { customerId, endpointId } = await addEndpoint(deps, 'A');
    const ids = { customerId, endpointId };
    const change = () => updateEndpoint(deps, { ...ids, standardWebhooks: true }, TESTER);
    await deps.db.transaction(async (tx) => {
      await deleteSecret(tx, endpointId, 'current');
      const secret = 'whsec_bm90LWEtc2VjcmV0LW9mLWEtcGFzdC12ZXJzaW9uISE';
      const row = { endpointId, role: 'current', secret, now: deps.clock.now() } as const;
      await insertSecret(tx, deps.cipher, row);
    });
    expect(await change()).toMatchObject({ kind: 'conflict' });
    expect(await findEndpoint(deps.db, ids)).toMatchObject({ standardWebhooks: false });
    await prepareSecret(deps, ids, TESTER);
    await activateSecret(deps, ids, TESTER);
    expect(await change()).toEqual({ kind: 'changed' });
    expect(await findEndpoint(deps.db, ids)).toMatchObject({ standardWebhooks: true });
  });

  test('allows at most twenty endpoints per account, and one more after a deletion', async () => {
    const deps = webhookWorld(db());
    const customerId = await addCustomer(deps, 'A');
    const create = () => createEndpoint(deps, { customerId, url: RECEIVER }, TESTER);
    for (let made = 0; made < ENDPOINTS_MAX; made += 1) {
      expect((await create()).kind).toBe('created');
    }
    expect((await create()).kind).toBe('over-limit');
    const [first] = await listEndpoints(deps.db, customerId);
    const removed = { customerId, endpointId: first?.id ?? '' };
    expect((await deleteEndpoint(deps, removed, TESTER)).kind).toBe('changed');
    expect((await create()).kind).toBe('created');
  });

  test('limits changes to sixty per minute and returns the time to wait before retrying', async () => {
    const deps = webhookWorld(db());
    const { customerId, endpointId } = await addEndpoint(deps, 'A');
    const write = (description: string) =>
      updateEndpoint(deps, { customerId, endpointId, description }, TESTER);
    await deps.clock.advance(20_000);
    for (let done = 1; done < 60; done += 1) expect((await write(`${done}`)).kind).toBe('changed');
    const create = () => createEndpoint(deps, { customerId, url: RECEIVER }, TESTER);
    for (const refused of [await write('one too many'), await create()]) {
      expect(refused).toEqual({ kind: 'too-many', retryAfterSeconds: 40 });
    }
    await deps.clock.advance(40_000);
    expect((await write('again')).kind).toBe('changed');
    expect((await write('but one')).kind).toBe('too-many');
  });

  test("neither finds nor changes another customer's endpoint", async () => {
    const deps = webhookWorld(db());
    const { endpointId, customerId } = await addEndpoint(deps, 'A');
    const other = { customerId: await addCustomer(deps, 'B'), endpointId };
    const before = await findEndpoint(deps.db, { customerId, endpointId });
    for (const act of allActs(deps, other)) expect(await act()).toEqual({ kind: 'not-found' });
    expect(await findEndpoint(deps.db, { customerId, endpointId })).toEqual(before);
  });

  test('neither finds a deleted endpoint nor signs with its secrets', async () => {
    const deps = webhookWorld(db());
    const of = await addEndpoint(deps, 'A');
    await deleteEndpoint(deps, of, TESTER);
    expect(await findEndpoint(deps.db, of)).toBeNull();
    expect(await loadSigningSecrets(deps, [of.endpointId], deps.clock.now())).toEqual(new Map());
    for (const act of allActs(deps, of)) expect(await act()).toEqual({ kind: 'not-found' });
  });

  test('holds pending deliveries while an endpoint is disabled, makes them due when it is enabled and cancels them when it is deleted', async () => {
    const deps = webhookWorld(db());
    const of = await addEndpoint(deps, 'A');
    await open(deps, of, 'ACME');
    await disableEndpointManually(deps, { ...of, reason: 'owner' }, TESTER);
    expect(await statesOf(deps)).toEqual(['held']);
    const again = await disableEndpointManually(deps, { ...of, reason: 'owner' }, TESTER);
    expect(again).toEqual({ kind: 'unchanged' });
    await enableEndpointManually(deps, { ...of, isOperator: false }, TESTER);
    expect(await statesOf(deps)).toEqual(['pending']);
    await deleteEndpoint(deps, of, TESTER);
    expect(await statesOf(deps)).toEqual(['cancelled']);
  });

  test('alerts the owner when an operator disables an endpoint, and does not let the owner enable it', async () => {
    const deps = webhookWorld(db());
    const of = await addEndpoint(deps, 'A');
    await disableEndpointManually(deps, { ...of, reason: 'operator' }, TESTER);
    const alerts = await listAlerts(deps.db, { customerId: of.customerId, limit: 9 });
    expect(alerts).toMatchObject([{ kind: 'disabled', endpointId: of.endpointId }]);
    const enable = (isOperator: boolean) =>
      enableEndpointManually(deps, { ...of, isOperator }, TESTER);
    expect((await enable(false)).kind).toBe('conflict');
    expect((await enable(true)).kind).toBe('changed');
  });

  test.each(['owner', 'failing', 'gone'] as const)(
    'lets an operator take over an endpoint disabled for the reason "%s", with an alert and audit event, and does not let the owner enable it',
    async (reason) => {
      const deps = webhookWorld(db());
      const of = await addEndpoint(deps, 'A');
      const disabledAt = deps.clock.now();
      await deps.db.transaction((tx) =>
        disableEndpoint(tx, of.endpointId, { reason, now: disabledAt }),
      );
      await deps.clock.advance(1_000);
      const take = () => disableEndpointManually(deps, { ...of, reason: 'operator' }, TESTER);
      expect((await take()).kind).toBe('changed');
      expect((await take()).kind).toBe('unchanged');
      const byOwner = await disableEndpointManually(deps, { ...of, reason: 'owner' }, TESTER);
      expect(byOwner.kind).toBe('unchanged');
      const taken = { disabledReason: 'operator', disabledAt };
      expect(await findEndpoint(deps.db, of)).toMatchObject(taken);
      const { customerId } = of;
      expect(await listAlerts(deps.db, { customerId, limit: 9 })).toMatchObject([
        { kind: 'disabled', at: disabledAt + 1_000 },
      ]);
      const acts = await listAuditEvents(deps.db, {
        customerId,
        actionPrefix: 'webhook.disable',
        limit: 9,
      });
      expect(acts).toMatchObject([{ details: { reason: 'operator' } }]);
      const enabled = await enableEndpointManually(deps, { ...of, isOperator: false }, TESTER);
      expect(enabled.kind).toBe('conflict');
    },
  );

  test('changes the settings and state of an endpoint together or not at all', async () => {
    const deps = webhookWorld(db());
    const of = await addEndpoint(deps, 'A');
    const change = (wanted: object) => updateEndpoint(deps, { ...of, ...wanted }, TESTER);
    const terms = { url: 'https://other.receiver.example/', description: 'night desk' };
    expect((await change({ url: 'http://x/', enabled: false })).kind).toBe('invalid');
    expect(await findEndpoint(deps.db, of)).toMatchObject({ url: RECEIVER, disabledAt: null });
    await disableEndpointManually(deps, { ...of, reason: 'operator' }, TESTER);
    const before = await findEndpoint(deps.db, of);
    expect((await change({ ...terms, enabled: true })).kind).toBe('conflict');
    expect(await findEndpoint(deps.db, of)).toEqual(before);
    expect((await change({ ...terms, enabled: true, isOperator: true })).kind).toBe('changed');
    expect(await findEndpoint(deps.db, of)).toMatchObject({ ...terms, disabledAt: null });
  });

  test('records a change of settings and state as one action that counts once toward the rate limit', async () => {
    const deps = webhookWorld(db());
    const { customerId, endpointId } = await addEndpoint(deps, 'A');
    const change = (enabled: boolean) =>
      updateEndpoint(deps, { customerId, endpointId, description: 'desk', enabled }, TESTER);
    for (let done = 1; done < 60; done += 1) {
      expect((await change(done % 2 === 0)).kind).toBe('changed');
    }
    expect(await change(true)).toMatchObject({ kind: 'too-many' });
    expect(await listAuditEvents(deps.db, { customerId, limit: 1 })).toMatchObject([
      {
        action: 'webhook.change',
        details: { url: auditUrl(RECEIVER), enabled: false, reason: 'owner' },
      },
    ]);
    const stored = await findEndpoint(deps.db, { customerId, endpointId });
    expect(stored?.disabledReason).toBe('owner');
  });

  test('resets the health of an endpoint when its URL changes', async () => {
    const deps = webhookWorld(db());
    const of = await addEndpoint(deps, 'A');
    await deps.db.query(
      `update webhook_endpoint set failure_count = 9, failing_since = now() where id = $1`,
      [of.endpointId],
    );
    const count = async () => (await findEndpoint(deps.db, of))?.failureCount;
    await updateEndpoint(deps, { ...of, description: 'night desk' }, TESTER);
    expect(await count()).toBe(9);
    await updateEndpoint(deps, { ...of, url: 'https://other.receiver.example/' }, TESTER);
    expect(await count()).toBe(0);
    expect(await findEndpoint(deps.db, of)).toMatchObject({ description: 'night desk' });
  });

  test('records every endpoint action in the audit log, without secrets', async () => {
    const deps = webhookWorld(db());
    const { secret, ...of } = await addEndpoint(deps, 'A');
    await updateEndpoint(deps, { ...of, description: 'desk' }, TESTER);
    await disableEndpointManually(deps, { ...of, reason: 'owner' }, TESTER);
    await enableEndpointManually(deps, { ...of, isOperator: false }, TESTER);
    await deleteEndpoint(deps, of, TESTER);
    const { customerId } = of;
    const events = (await listAuditEvents(deps.db, { customerId, limit: 5 })).toReversed();
    expect(events.map(({ action: act, subject }) => [act, subject])).toEqual(
      ['create', 'change', 'disable', 'enable', 'delete'].map((verb) => [
        `webhook.${verb}`,
        of.endpointId,
      ]),
    );
    expect(JSON.stringify(events)).not.toContain(secret);
  });
});

function allActs(deps: WebhookDeps, { customerId, endpointId }: EndpointIds) {
  const of = { customerId, endpointId };
  return [
    () => updateEndpoint(deps, { ...of, description: 'x' }, TESTER),
    () => disableEndpointManually(deps, { ...of, reason: 'owner' }, TESTER),
    () => enableEndpointManually(deps, { ...of, isOperator: true }, TESTER),
    () => deleteEndpoint(deps, of, TESTER),
    () => subscribe(deps, { ...of, templateId: 'earnings_schedule', symbols: 'ACME' }, TESTER),
  ];
}

async function open(deps: WebhookDeps, { endpointId }: EndpointIds, symbol: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const endpoint = (await lockEndpoints(tx, [endpointId])).get(endpointId);
    if (endpoint === undefined) throw new Error('no endpoint');
    const now = deps.clock.now();
    const kind = { templateId: 'earnings_schedule', eventType: 'earnings_schedule.changed' };
    const subject = { endpoint, ...kind, symbol, changedAt: now };
    await createDeliveries({ tx, random: deps.random }, [subject], { now });
  });
}

async function statesOf({ db }: WebhookDeps): Promise<unknown[]> {
  return (await db.query('select state from delivery order by id')).map(({ state }) => state);
}
