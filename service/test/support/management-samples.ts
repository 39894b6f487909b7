import { COMMAND_LINE } from '../../src/accounts/audit-log.ts';
import type { Role } from '../../src/accounts/permissions.ts';
import { invite } from '../../src/accounts/people/invitations.ts';
import { createPasswordReset } from '../../src/accounts/people/password-reset.ts';
import { addPlan } from '../../src/accounts/plans/plans.ts';
import { fromBase32, totpCode, totpStep } from '../../src/accounts/second-factor/totp.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
} from '../../src/accounts/second-factor/second-factor.ts';
import { addMarketOverride } from '../../src/datasets/market-overrides/store.ts';
import { putWatchlist } from '../../src/watchlists/watchlist-actions.ts';
import { createEndpoint } from '../../src/webhooks/endpoint/endpoint-actions.ts';
import { createTestDelivery } from '../../src/webhooks/queue/redeliver.ts';
import { prepareSecret } from '../../src/webhooks/secret/secret-actions.ts';
import { subscribe } from '../../src/webhooks/subscription/subscription-actions.ts';
import { localDate } from '../../src/domain/local-date.ts';
import { formatInstant } from '../../src/platform/instant.ts';
import { refOf } from './account-world.ts';
import type { Sample } from './sample-request.ts';
import { quarantineDividend } from './operator-files.ts';
import { type Management, PASSWORD } from './management-server.ts';
import { eventOf, securityOf, storeRows } from './stored-earnings.ts';
import { RECEIVER } from './webhook-fixtures.ts';

/** The customer that the samples are about, and the caller. */
export interface SampleWorld {
  management: Management;
  customerId: string;
  /**
   * The caller, for calls about the caller's own account. If the caller is anonymous or a key, this
   * is one of the customer's people.
   */
  self: { id: string; email: string; customerId: string | null; sessionId: string };
}

/** A request for every route, by route name. Each request creates the resources it needs. */
export const SAMPLES: Readonly<Record<string, (world: SampleWorld) => Promise<Sample>>> = {
  'keys-list': plain,
  'keys-create': () => Promise.resolve({ body: { name: 'a job', scopes: ['read'] } }),
  'keys-update': async (world) => ({ ...(await keySample(world)), body: { name: 'another job' } }),
  'keys-roll': async (world) => ({ ...(await keySample(world)), body: { grace: '1h' } }),
  'keys-revoke': keySample,
  'keys-delete': keySample,
  'auth-options-read': plain,
  'auth-set-up': () =>
    Promise.resolve({
      body: {
        token: 'no-such-token-1234',
        email: 'a@example.com',
        password: PASSWORD,
      },
      status: 404,
    }),
  'auth-sign-up': ({ management }) => {
    const name = nextName(management);
    const body = { name, email: `${name}@example.com`, password: `${PASSWORD} ${name}` };
    return Promise.resolve({ body });
  },
  'auth-invitation-read': async (world) => ({
    body: { token: (await invited(world, 'member')).token },
  }),
  'auth-invitation-accept': async (world) => ({
    body: { token: (await invited(world, 'member')).token, password: `${PASSWORD} accepted` },
  }),
  'auth-invitation-join': async (world) => {
    const customerId = await world.management.customer(nextName(world.management));
    const invitation = await invited({ ...world, customerId }, 'member', world.self.email);
    return { body: { token: invitation.token } };
  },
  'auth-reset-password': async ({ management, customerId }) => {
    const person = await management.person('member', customerId);
    const outcome = await createPasswordReset(management.deps, refOf(person), COMMAND_LINE);
    if (outcome.kind !== 'made') throw new Error(outcome.kind);
    return { body: { token: outcome.token, password: `${PASSWORD} renewed` } };
  },

  'session-sign-in': async ({ management, customerId }) => {
    const { email } = await management.person('member', customerId);
    return { body: { email, password: PASSWORD } };
  },
  'session-sign-out': plain,
  'session-read': plain,
  'session-switch': ({ self: { customerId } }) => Promise.resolve({ body: { customerId } }),
  'session-confirm-password': () => Promise.resolve({ body: { password: PASSWORD } }),

  'sessions-list': plain,
  'sessions-revoke': ({ self }) => Promise.resolve({ params: [self.sessionId] }),
  'sessions-revoke-all': plain,
  'password-change': () =>
    Promise.resolve({ body: { current: PASSWORD, next: `${PASSWORD} changed` } }),
  'second-factor-begin': plain,
  'second-factor-confirm': async (world) => ({ body: { code: await currentCode(world) } }),
  'second-factor-remove': async (world) => ({ body: { code: await recoveryCode(world) } }),
  'recovery-codes-regenerate': async (world) => {
    await recoveryCode(world);
    return {};
  },

  'account-read': plain,
  'account-rename': ({ management }) => Promise.resolve({ body: { name: nextName(management) } }),

  'people-list': plain,
  'people-access-read': memberSample,
  'people-sessions-revoke': memberSample,
  'people-update': async (world) => ({ ...(await memberSample(world)), body: { enabled: false } }),
  'people-remove': memberSample,
  'people-reset-password': memberSample,
  'people-remove-second-factor': memberSample,
  'people-invite': () => Promise.resolve({ body: { email: 'new@example.com', role: 'member' } }),
  'people-invitations-list': plain,
  'people-invitations-revoke': (world) => invitationSample(world, 'member'),

  'operators-list': plain,
  'operators-access-read': operatorSample,
  'operators-sessions-revoke': operatorSample,
  'operators-update': async (world) => ({
    ...(await operatorSample(world)),
    body: { enabled: false },
  }),
  'operators-remove': operatorSample,
  'operators-invite': () => Promise.resolve({ body: { email: 'new@example.com' } }),
  'operators-invitations-list': plain,
  'operators-invitations-revoke': (world) => invitationSample(world, 'operator'),

  'audit-list': plain,
  'system-audit-list': plain,
  'requests-list': async ({ management, customerId }) => ({
    query: { keyId: (await management.program(customerId, ['read'])).id, status: '4xx' },
  }),
  'usage-read': async ({ management, customerId }) => ({
    query: { keyId: (await management.program(customerId, ['read'])).id, by: 'hour' },
  }),
  'system-usage-read': () => Promise.resolve({ query: { split: 'endpoint' } }),
  'system-usage-top-customers': plain,

  'system-deliveries-list': async (world) => {
    await deliverySample(world);
    return { query: { customerId: world.customerId, state: 'pending' } };
  },
  'webhook-stats-read': plain,
  'system-delivery-stats-read': () => Promise.resolve({ query: { by: 'day' } }),
  'sources-list': plain,
  'ingest-runs-list': () => Promise.resolve({ query: { provider: 'nasdaq', outcome: 'rejected' } }),
  'sources-run': async (world) => {
    await endBatches(world);
    return { params: ['nasdaq'], body: { feed: 'screener' } };
  },
  'backfills-create': async (world) => {
    await endBatches(world);
    return { body: { provider: 'nasdaq', feed: 'calendar-earnings', from: '2026-11-02' } };
  },
  'backfills-list': () => Promise.resolve({ query: { kind: 'backfill' } }),
  'facts-datasets-list': plain,
  'facts-list': () =>
    Promise.resolve({ params: ['earnings'], query: { search: 'qpine', date: '2026-11-20' } }),
  'facts-read': async ({ management }) => {
    const { db } = management.deps;
    const id = nextName(management);
    await storeRows(db, { securities: [securityOf('FACT')], events: [eventOf('FACT', { id })] });
    return { params: ['earnings', id] };
  },
  'quarantine-list': () => Promise.resolve({ query: { state: 'open', dataset: 'dividends' } }),
  'quarantine-counts-read': plain,
  'quarantine-read': quarantinedRecordSample,
  'quarantine-accept': async (world) => ({
    ...(await quarantinedRecordSample(world)),
    body: { why: 'the company says so' },
  }),
  'quarantine-reject': async (world) => ({
    ...(await quarantinedRecordSample(world)),
    body: { why: 'no' },
  }),

  'explore-read': () =>
    Promise.resolve({ params: ['market-status'], query: { query: 'at=2026-11-20T15:00:00Z' } }),

  'symbols-search': () => Promise.resolve({ query: { search: 'qpine' } }),
  'bars-read': async ({ management: { deps } }) => {
    await storeRows(deps.db, { securities: [securityOf('QPINE')] });
    return { params: ['QPINE'] };
  },

  'customers-list': plain,
  'customers-create': ({ management }) =>
    Promise.resolve({ body: { name: nextName(management), plan: 'free' } }),
  'customers-read': customerSample,
  'customers-change-plan': async (world) => ({
    ...(await customerSample(world)),
    body: { plan: 'free' },
  }),
  'customers-suspend': customerSample,
  'customers-resume': customerSample,
  'customers-delete': customerSample,

  'plans-list': plain,
  'plans-upsert': ({ management }) =>
    Promise.resolve({ params: [nextName(management)], body: LIMITS }),
  'plans-remove': async ({ management }) => {
    const name = nextName(management);
    await addPlan(management.deps, { name, ...LIMITS }, COMMAND_LINE);
    return { params: [name] };
  },

  'watchlists-list': plain,
  'watchlists-read': watchlistSample,
  'watchlists-upsert': async (world) => ({
    ...(await watchlistSample(world)),
    body: { symbols: [] },
  }),
  'watchlists-update': async (world) => ({
    ...(await watchlistSample(world)),
    body: { remove: ['ACME'] },
  }),
  'watchlists-delete': watchlistSample,
  'webhooks-list': plain,
  'webhooks-create': () => Promise.resolve({ body: { url: RECEIVER, description: 'desk' } }),
  'webhooks-read': endpointSample,
  'webhooks-update': async (world) => ({
    ...(await endpointSample(world)),
    body: { enabled: false },
  }),
  'webhooks-delete': endpointSample,
  'webhooks-test': async (world) => ({
    ...(await endpointSample(world)),
    body: { symbol: 'ACME' },
  }),
  'webhooks-recover': async (world) => ({
    ...(await endpointSample(world)),
    body: { since: formatInstant(world.management.clock.now() - 3_600_000) },
  }),
  'sandbox-change': () => Promise.resolve({ body: { symbol: 'ACME', field: 'date' } }),
  'webhook-secrets-reveal': endpointSample,
  'webhook-secrets-prepare': endpointSample,
  'webhook-secrets-withdraw': preparedEndpointSample,
  'webhook-secrets-activate': async (world) => ({
    ...(await preparedEndpointSample(world)),
    body: { overlapHours: 1 },
  }),
  'webhook-templates-list': plain,
  'webhook-subscriptions-list': async (world) => ({
    ...(await endpointSample(world)),
    query: { limit: '1' },
  }),
  'webhook-subscriptions-add': async (world) => ({
    ...(await endpointSample(world)),
    body: SYMBOLS,
  }),
  'webhook-subscriptions-remove': async (world) => ({
    ...(await endpointSample(world)),
    body: SYMBOLS,
  }),
  'deliveries-list': () => Promise.resolve({ query: { state: 'pending', symbol: 'acme' } }),
  'deliveries-read': deliverySample,
  'deliveries-redeliver': finishedDeliverySample,
  'webhook-alerts-list': plain,
  'delivery-stats-read': async (world) => ({
    query: { endpointId: (await endpointSample(world)).params?.[0] ?? '', by: 'day' },
  }),

  'system-read': plain,
  'quotas-reset-future': plain,
  'market-overrides-list': plain,
  'market-overrides-create': () =>
    Promise.resolve({ body: { date: '2026-11-23', kind: 'closed', reason: 'a flood' } }),
  'market-overrides-revoke': async ({ management: { deps } }) => {
    const override = { date: localDate('2026-11-24'), kind: 'closed', reason: 'fog' } as const;
    const entry = { override, note: null, operator: 'test' };
    const id = await deps.db.transaction((tx) => addMarketOverride(tx, entry, deps.clock.now()));
    return { params: [String(id)] };
  },
};

const LIMITS = {
  perMinute: 10,
  perDay: 50,
  perMonth: null,
  historyMonths: 12,
  computeMsPerMinute: 5_000,
  watchlistsMax: 5,
  watchlistCompaniesMax: 100,
};

const SYMBOLS = { templateId: 'earnings_schedule', symbols: 'ACME, zzz' };

function plain(): Promise<Sample> {
  return Promise.resolve({});
}

/** Returns a unique name. */
function nextName({ deps }: Management): string {
  return `n${Buffer.from(deps.random.bytes(8)).toString('hex')}`;
}

async function keySample({ management, customerId }: SampleWorld): Promise<Sample> {
  return { params: [(await management.program(customerId, ['read'])).id] };
}

async function memberSample({ management, customerId }: SampleWorld): Promise<Sample> {
  return { params: [(await management.person('member', customerId)).id] };
}

async function operatorSample({ management }: SampleWorld): Promise<Sample> {
  return { params: [(await management.person('operator', null)).id] };
}

async function customerSample({ management }: SampleWorld): Promise<Sample> {
  return { params: [await management.customer(nextName(management))] };
}

async function invitationSample(world: SampleWorld, role: Role): Promise<Sample> {
  return { params: [(await invited(world, role)).id] };
}

async function invited(
  { management, customerId }: SampleWorld,
  role: Role,
  email = `${nextName(management)}@example.com`,
) {
  const invitation = { email, role, customerId: role === 'operator' ? null : customerId };
  const outcome = await invite(management.deps, invitation, COMMAND_LINE);
  if (outcome.kind !== 'invited') throw new Error(outcome.kind);
  return outcome;
}

/** Begins setting up a second factor for the caller and returns a current code. */
async function currentCode({ management, self }: SampleWorld): Promise<string> {
  const options = { personId: self.id, issuer: 'test' };
  const outcome = await beginSecondFactor(management.deps, options);
  if (outcome.kind !== 'begun') throw new Error(outcome.kind);
  return totpCode(fromBase32(outcome.secret), totpStep(management.clock.now()));
}

/** Enables two-factor authentication for the caller and returns an unused recovery code. */
async function recoveryCode(world: SampleWorld): Promise<string> {
  const options = { ...refOf(world.self), code: await currentCode(world) };
  const outcome = await confirmSecondFactor(world.management.deps, options, COMMAND_LINE);
  if (outcome.kind !== 'confirmed') throw new Error(outcome.kind);
  return outcome.recoveryCodes[0] ?? '';
}

/** Creates an empty watchlist. */
async function watchlistSample({ management, customerId }: SampleWorld): Promise<Sample> {
  const name = nextName(management);
  const list = { customerId, name, symbols: [] };
  const outcome = await putWatchlist(management.deps, list, COMMAND_LINE);
  if (outcome.kind !== 'saved') throw new Error(outcome.kind);
  return { params: [name] };
}

/** Creates an endpoint subscribed to ACME. */
async function endpointSample({ management, customerId }: SampleWorld): Promise<Sample> {
  const { deps } = management;
  const outcome = await createEndpoint(deps, { customerId, url: RECEIVER }, COMMAND_LINE);
  if (outcome.kind !== 'created') throw new Error(outcome.kind);
  const target = { customerId, endpointId: outcome.id };
  await subscribe(
    deps,
    { ...target, templateId: 'earnings_schedule', symbols: 'ACME' },
    COMMAND_LINE,
  );
  return { params: [outcome.id] };
}

async function preparedEndpointSample(world: SampleWorld): Promise<Sample> {
  const sample = await endpointSample(world);
  const target = { customerId: world.customerId, endpointId: sample.params?.[0] ?? '' };
  await prepareSecret(world.management.deps, target, COMMAND_LINE);
  return sample;
}

async function deliverySample(world: SampleWorld): Promise<Sample> {
  const { deps } = world.management;
  const [endpointId = ''] = (await endpointSample(world)).params ?? [];
  return deps.db.transaction(async (tx) => {
    const context = { tx, random: deps.random, now: deps.clock.now() };
    const template = { templateId: 'earnings_schedule', eventType: 'earnings_schedule.changed' };
    const outcome = await createTestDelivery(context, { endpointId, ...template, symbol: 'ACME' });
    if (outcome.kind !== 'opened') throw new Error(outcome.kind);
    return { params: [outcome.id] };
  });
}

async function finishedDeliverySample(world: SampleWorld): Promise<Sample> {
  const sample = await deliverySample(world);
  const { db } = world.management.deps;
  await db.query(`update delivery set state = 'failed' where id = $1`, [sample.params?.[0] ?? '']);
  return sample;
}

/** Deletes earlier batches, because only one can run at a time. */
async function endBatches({ management: { deps } }: SampleWorld): Promise<void> {
  await deps.db.query('delete from ingest_request');
}

/** Quarantines a dividend whose payment date precedes its ex-date. */
async function quarantinedRecordSample({ management: { deps } }: SampleWorld): Promise<Sample> {
  const letters = Array.from(deps.random.bytes(7), (byte) => String.fromCharCode(65 + (byte % 26)));
  return { params: [await quarantineDividend(deps.db, letters.join(''), deps.clock.now())] };
}
