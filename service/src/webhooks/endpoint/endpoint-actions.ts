import { type Actor, type AuditValue, recordAuditEvent } from '../../accounts/audit-log.ts';
import { checkActionRate, type RateLimited } from '../../accounts/action-rate.ts';
import { creationBy } from '../../accounts/creator.ts';
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
  type EndpointSettings,
  insertEndpoint,
  markEndpointDeleted,
  saveEndpoint,
} from './webhook-endpoint.ts';
import { writeHealth } from './lock-endpoints.ts';
import type { PayloadFormat } from '../message/payload.ts';
import {
  generateSecret,
  insertSecret,
  isStandardSecret,
  loadSecrets,
} from '../secret/secret-store.ts';
import { auditUrl } from '../address/audit-url.ts';
import { checkWebhookUrl } from '../address/url-rules.ts';
import type { Conflict, EndpointIds, LimitReached, WebhookDeps } from '../webhook-deps.ts';
import {
  changed,
  CHANGES_PER_MINUTE,
  type EditableEndpoint,
  unchanged,
  withEndpoint,
} from './endpoint-action.ts';

export const ENDPOINTS_MAX = 20;
const DESCRIPTION_LENGTH_MAX = 200;

export type CreateEndpointOutcome =
  /**
   * The secret of the new endpoint. After this response, it is shown only after a password
   * confirmation.
   */
  { kind: 'created'; id: string; secret: string } | Invalid | NotFound | LimitReached | RateLimited;

/**
 * Creates an enabled endpoint with a secret. Nothing is sent to the endpoint until it has
 * subscriptions.
 */
export function createEndpoint(
  deps: WebhookDeps,
  endpoint: { customerId: string; url: string } & SettingsChange,
  actor: Actor,
): Promise<CreateEndpointOutcome> {
  const { db, clock, random, cipher } = deps;
  return db.transaction(async (tx): Promise<CreateEndpointOutcome> => {
    const { customerId } = endpoint;
    // Serializes concurrent creations, so that the limit on endpoints cannot be exceeded.
    if ((await lockCustomer(tx, customerId)) === null) return notFound;
    const settings = parseSettings(deps, DEFAULTS, endpoint);
    if ('kind' in settings) return settings;
    const now = clock.now();
    const limit = { customerId, now, prefix: 'webhook.', perMinute: CHANGES_PER_MINUTE };
    const rateLimited = await checkActionRate(tx, limit);
    if (rateLimited !== null) return rateLimited;
    if ((await countEndpoints(tx, customerId)) >= ENDPOINTS_MAX) return ENDPOINT_LIMIT_REACHED;
    const id = generateId('whe', random);
    await insertEndpoint(tx, {
      id,
      customerId,
      ...settings,
      ...(await creationBy(tx, actor)),
      now,
    });
    const secret = generateSecret(random);
    await insertSecret(tx, cipher, { endpointId: id, role: 'current', secret, now });
    await recordAuditEvent(tx, {
      actor,
      at: now,
      action: 'webhook.create',
      subject: id,
      customerId,
      details: { url: auditUrl(settings.url) },
    });
    return { kind: 'created', id, secret };
  });
}

/**
 * Applies either all given changes or none, as one action. A new URL means a new receiver, so the
 * health of the endpoint is reset. Only an operator can enable an endpoint that an operator
 * disabled.
 */
export function updateEndpoint(
  deps: WebhookDeps,
  { endpointId, customerId, enabled, isOperator = false, ...change }: EndpointIds & EndpointUpdate,
  actor: Actor,
) {
  const ids = { endpointId, customerId };
  const { url, description, payloadFormat, standardWebhooks } = change;
  const settingsGiven = [url, description, payloadFormat, standardWebhooks];
  const hasSettings =
    enabled === undefined || settingsGiven.some((setting) => setting !== undefined);
  const toggle = enabled === true ? 'webhook.enable' : 'webhook.disable';
  const action = hasSettings ? 'webhook.change' : toggle;
  return withEndpoint(deps, ids, { actor, action }, async (tx, endpoint) => {
    const now = deps.clock.now();
    // The transaction is committed even if the update is rejected, so every check must precede the
    // first write.
    const needsOperator = endpoint.disabledReason === 'operator' && !isOperator;
    if (enabled === true && needsOperator) return unchanged(DISABLED_BY_OPERATOR);
    const settings = hasSettings ? parseSettings(deps, endpoint, change) : null;
    if (settings !== null && 'kind' in settings) return unchanged(settings);
    if (standardWebhooks === true && !(await hasStandardSecrets(deps, tx, endpointId))) {
      return unchanged(SECRET_TOO_OLD);
    }
    const saved = settings === null ? null : await saveSettings(tx, endpoint, { ...settings, now });
    const toggled =
      enabled === undefined ? null : await setEnabled(tx, endpoint, { enabled, isOperator, now });
    if (saved === null && toggled === null) return unchanged({ kind: 'unchanged' });
    return changed({ kind: 'changed' }, { ...saved, ...toggled });
  });
}

/** Settings as given by the caller. Omitted fields remain unchanged, or get their defaults. */
interface SettingsChange {
  url?: string | undefined;
  description?: string | undefined;
  payloadFormat?: PayloadFormat | undefined;
  standardWebhooks?: boolean | undefined;
}

interface EndpointUpdate extends SettingsChange {
  enabled?: boolean;
  isOperator?: boolean;
}

/**
 * Disables an endpoint. Pending deliveries are held until the endpoint is enabled, and then sent
 * with current data.
 */
export function disableEndpointManually(
  deps: WebhookDeps,
  { reason, ...ids }: EndpointIds & { reason: 'owner' | 'operator' },
  actor: Actor,
) {
  const isOperator = reason === 'operator';
  return updateEndpoint(deps, { ...ids, enabled: false, isOperator }, actor);
}

export function enableEndpointManually(
  deps: WebhookDeps,
  ids: EndpointIds & { isOperator: boolean },
  actor: Actor,
) {
  return updateEndpoint(deps, { ...ids, enabled: true }, actor);
}

/** Deletes an endpoint together with its secrets and subscriptions, but keeps its delivery log. */
export function deleteEndpoint(deps: WebhookDeps, ids: EndpointIds, actor: Actor) {
  const action = 'webhook.delete';
  return withEndpoint(deps, ids, { actor, action }, async (tx, { id, url }) => {
    const now = deps.clock.now();
    await cancelPending(tx, id, { now });
    await markEndpointDeleted(tx, id, now);
    return changed({ kind: 'changed' }, { url: auditUrl(url) });
  });
}

const DISABLED_BY_OPERATOR: Conflict = {
  kind: 'conflict',
  detail: 'The endpoint was disabled by the operator of this service. Ask them to enable it.',
};
const SECRET_TOO_OLD: Conflict = {
  kind: 'conflict',
  detail:
    'The signing secret is from a version before Standard Webhooks, whose libraries cannot read ' +
    'it. Rotate the secret first.',
};
const ENDPOINT_LIMIT_REACHED: LimitReached = {
  kind: 'over-limit',
  detail: `An account can have at most ${ENDPOINTS_MAX} endpoints. Delete one first.`,
};

/** Saves the settings. Returns the audit details. */
async function saveSettings(
  tx: Transaction,
  endpoint: EditableEndpoint,
  settings: EndpointSettings & { now: Instant },
): Promise<Readonly<Record<string, AuditValue>>> {
  await saveEndpoint(tx, endpoint.id, settings);
  const { url, payloadFormat, standardWebhooks } = settings;
  const details = { url: auditUrl(url), payloadFormat, standardWebhooks };
  if (url === endpoint.url) return details;
  await writeHealth(tx, [{ id: endpoint.id, health: afterEnabling(endpoint.health) }]);
  return { ...details, urlBefore: auditUrl(endpoint.url) };
}

/**
 * Enables or disables the endpoint. Returns the audit details, or null if the state did not change.
 */
async function setEnabled(
  tx: Transaction,
  endpoint: EditableEndpoint,
  { enabled, isOperator, now }: { enabled: boolean; isOperator: boolean; now: Instant },
): Promise<{ enabled: boolean; reason?: DisableReason } | null> {
  const { id, failingSince } = endpoint;
  if (enabled) return (await enableEndpoint(tx, id, now)) ? { enabled } : null;
  const reason = isOperator ? 'operator' : 'owner';
  if (!(await disableEndpoint(tx, id, { reason, now }))) return null;
  if (isOperator) await alertDisabled(tx, endpoint, { now, failingSince });
  return { enabled, reason };
}

/** Returns false if the endpoint signs with a secret of a version before Standard Webhooks. */
async function hasStandardSecrets(
  { cipher, clock }: WebhookDeps,
  tx: Transaction,
  endpointId: string,
): Promise<boolean> {
  const secrets = await loadSecrets(tx, cipher, endpointId, clock.now());
  return secrets.every(({ role, secret }) => role === 'previous' || isStandardSecret(secret));
}

const DEFAULTS = {
  url: '',
  description: '',
  payloadFormat: 'json',
  standardWebhooks: false,
} as const;

/** Applies a change to the present settings. */
function parseSettings(
  { webhooks }: WebhookDeps,
  present: Omit<EndpointSettings, 'isDev'>,
  change: SettingsChange,
): EndpointSettings | Invalid {
  const verdict = checkWebhookUrl((change.url ?? present.url).trim(), webhooks.urlRules);
  if (!verdict.ok) return invalid('url', `it ${verdict.problem}`);
  const description = (change.description ?? present.description).trim();
  if (description.length > DESCRIPTION_LENGTH_MAX || /\p{Cc}/u.test(description)) {
    const detail = `must be a single line of at most ${DESCRIPTION_LENGTH_MAX} characters`;
    return invalid('description', detail);
  }
  const { payloadFormat = present.payloadFormat } = change;
  const { standardWebhooks = present.standardWebhooks } = change;
  return { url: verdict.url, isDev: verdict.isDev, description, payloadFormat, standardWebhooks };
}
