import { type Actor, recordAuditEvent } from '../../accounts/audit-log.ts';
import { lockCustomer } from '../../accounts/customers/customer-store.ts';
import { type Invalid, invalid, generateId, notFound, type NotFound } from '../../accounts/deps.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { afterEnabling } from './endpoint-health.ts';
import {
  alertDisabled,
  cancelPending,
  disableEndpoint,
  type DisableReason,
  enableEndpoint,
} from './endpoint-states.ts';
import {
  countEndpoints,
  insertEndpoint,
  markEndpointDeleted,
  updateEndpoint,
} from './webhook-endpoint.ts';
import { writeHealth } from './lock-endpoints.ts';
import { insertSecret, generateSecret } from '../secret/secret-store.ts';
import { checkWebhookUrl } from '../address/url-rules.ts';
import type {
  Conflict,
  EndpointIds,
  LimitReached,
  RateLimited,
  WebhookDeps,
} from '../webhook-deps.ts';
import {
  type EditableEndpoint,
  checkActionRate,
  withEndpoint,
  CHANGES_PER_MINUTE,
} from './endpoint-action.ts';

export const ENDPOINTS_MAX = 20;
const DESCRIPTION_LENGTH_MAX = 200;

export type CreateEndpointOutcome =
  /** The secret is shown now; later only to who gives a password again. */
  { kind: 'created'; id: string; secret: string } | Invalid | NotFound | LimitReached | RateLimited;

/** Adds an endpoint, enabled, with a secret and without subscriptions: nothing is sent to it yet. */
export function createEndpoint(
  deps: WebhookDeps,
  given: { customerId: string; url: string; description?: string | undefined },
  actor: Actor,
): Promise<CreateEndpointOutcome> {
  const { db, clock, random, cipher } = deps;
  return db.transaction(async (tx): Promise<CreateEndpointOutcome> => {
    const { customerId } = given;
    // Two who add the last endpoint at once come one after the other.
    if ((await lockCustomer(tx, customerId)) === null) return notFound;
    const read = parseSettings(deps, { url: given.url, description: given.description ?? '' });
    if (read.kind === 'invalid') return read;
    const now = clock.now();
    const limit = { customerId, now, begins: 'webhook.', perMinute: CHANGES_PER_MINUTE };
    const tooMany = await checkActionRate(tx, limit);
    if (tooMany !== null) return tooMany;
    if ((await countEndpoints(tx, customerId)) >= ENDPOINTS_MAX) return ENDPOINT_LIMIT_REACHED;
    const id = generateId('whe', random);
    await insertEndpoint(tx, { id, customerId, ...read.terms, now });
    const secret = generateSecret(random);
    await insertSecret(tx, cipher, { endpointId: id, role: 'current', secret, now });
    const details = { url: read.terms.url };
    await recordAuditEvent(tx, {
      actor,
      at: now,
      action: 'webhook.create',
      subject: id,
      customerId,
      details,
    });
    return { kind: 'created', id, secret };
  });
}

/**
 * Changes what is given, together or not at all, as one act. Behind another URL is another receiver:
 * what the old one did is forgotten. What an operator disabled only an operator enables.
 */
export function updateEndpointByOwner(
  deps: WebhookDeps,
  { url, description, enabled, isOperator = false, ...of }: EndpointIds & EndpointChange,
  actor: Actor,
) {
  const hasTerms = url !== undefined || description !== undefined || enabled === undefined;
  const turn = enabled === true ? 'webhook.enable' : 'webhook.disable';
  const act = hasTerms ? 'webhook.change' : turn;
  return withEndpoint(deps, of, { by: actor, act }, async (tx, endpoint) => {
    const now = deps.clock.now();
    // A refusal is returned and so commits: whatever may refuse goes before the first write.
    const isTheirs = endpoint.disabledReason === 'operator' && !isOperator;
    if (enabled === true && isTheirs) return DISABLED_BY_OPERATOR;
    const wanted = { url: url ?? endpoint.url, description: description ?? endpoint.description };
    const read = hasTerms ? parseSettings(deps, wanted) : null;
    if (read?.kind === 'invalid') return read;
    const terms = read === null ? null : await writeSettings(tx, endpoint, { ...read.terms, now });
    const turned =
      enabled === undefined ? null : await setEnabled(tx, endpoint, { enabled, isOperator, now });
    if (terms === null && turned === null) return UNCHANGED;
    return { kind: 'changed' as const, details: { ...terms, ...turned } };
  });
}

/** What is left out stays as it is. */
interface EndpointChange {
  url?: string;
  description?: string;
  enabled?: boolean;
  /** Who changes it runs the service. */
  isOperator?: boolean;
}

/** Holds what waits until it is enabled again, when current data go out. */
export function disableEndpointByHand(
  deps: WebhookDeps,
  { reason, ...of }: EndpointIds & { reason: 'owner' | 'operator' },
  actor: Actor,
) {
  return updateEndpointByOwner(
    deps,
    { ...of, enabled: false, isOperator: reason === 'operator' },
    actor,
  );
}

export function enableEndpointByHand(
  deps: WebhookDeps,
  of: EndpointIds & { isOperator: boolean },
  actor: Actor,
) {
  return updateEndpointByOwner(deps, { ...of, enabled: true }, actor);
}

/** Takes it out for good, with its secrets and subscriptions; what was sent stays in the log. */
export function deleteEndpoint(deps: WebhookDeps, of: EndpointIds, actor: Actor) {
  return withEndpoint(deps, of, { by: actor, act: 'webhook.delete' }, async (tx, { id, url }) => {
    const now = deps.clock.now();
    await cancelPending(tx, id, { now });
    await markEndpointDeleted(tx, id, now);
    return { kind: 'changed' as const, details: { url } };
  });
}

const UNCHANGED = { kind: 'unchanged' } as const;
const DISABLED_BY_OPERATOR: Conflict = {
  kind: 'conflict',
  detail: 'Those who run the service disabled it: ask them.',
};
const ENDPOINT_LIMIT_REACHED: LimitReached = {
  kind: 'over-limit',
  detail: `An account has at most ${ENDPOINTS_MAX} endpoints: remove one first.`,
};

/** What the audit says of it. */
async function writeSettings(
  tx: Transaction,
  endpoint: EditableEndpoint,
  terms: { url: string; description: string; isDev: boolean; now: Instant },
): Promise<{ url: string; urlBefore?: string }> {
  await updateEndpoint(tx, endpoint.id, terms);
  if (terms.url === endpoint.url) return { url: terms.url };
  await writeHealth(tx, [{ id: endpoint.id, health: afterEnabling(endpoint.health) }]);
  return { url: terms.url, urlBefore: endpoint.url };
}

/** What the audit says of it; null when it was so before. */
async function setEnabled(
  tx: Transaction,
  endpoint: EditableEndpoint,
  { enabled, isOperator, now }: { enabled: boolean; isOperator: boolean; now: Instant },
): Promise<{ enabled: boolean; reason?: DisableReason } | null> {
  const { id, failingSince } = endpoint;
  if (enabled) return (await enableEndpoint(tx, id, now)) ? { enabled } : null;
  const reason = isOperator ? 'operator' : 'owner';
  if (!(await disableEndpoint(tx, id, { reason, now }))) return null;
  // Its owner did not do it, and is told.
  if (isOperator) await alertDisabled(tx, endpoint, { now, failingSince });
  return { enabled, reason };
}

function parseSettings(
  { webhooks }: WebhookDeps,
  given: { url: string; description: string },
): { kind: 'read'; terms: { url: string; description: string; isDev: boolean } } | Invalid {
  const verdict = checkWebhookUrl(given.url.trim(), webhooks.urlRules);
  if (!verdict.ok) return invalid('url', `it ${verdict.problem}`);
  const description = given.description.trim();
  if (description.length > DESCRIPTION_LENGTH_MAX || /\p{Cc}/u.test(description)) {
    return invalid('description', `at most ${DESCRIPTION_LENGTH_MAX} characters on one line`);
  }
  return { kind: 'read', terms: { url: verdict.url, description, isDev: verdict.isDev } };
}
