import type { Actor } from '../../accounts/audit-log.ts';
import { invalid } from '../../accounts/deps.ts';
import {
  deleteSecret,
  insertSecret,
  loadSecrets,
  generateSecret,
  moveSecret,
} from './secret-store.ts';
import type { Conflict, EndpointIds, WebhookDeps } from '../webhook-deps.ts';
import { changed, unchanged, withEndpoint } from '../endpoint/endpoint-action.ts';

const HOUR_MS = 3_600_000;
/** Default time for which the previous secret keeps signing after a rotation. */
export const OVERLAP_HOURS = 24;
export const OVERLAP_HOURS_MAX = 7 * 24;

/** Returns an endpoint's secrets. The caller must check for a recent password confirmation. */
export function revealSecrets(deps: WebhookDeps, ids: EndpointIds, actor: Actor) {
  const action = 'webhook.reveal-secret';
  return withEndpoint(deps, ids, { actor, action }, async (tx, { id }) => {
    const secrets = await loadSecrets(tx, deps.cipher, id, deps.clock.now());
    return changed({ kind: 'revealed', secrets }, { roles: secrets.map(({ role }) => role) });
  });
}

/**
 * First step of a rotation: creates the next secret. From now on, deliveries carry a second
 * signature made with the next secret, so that receivers can be tested before the switch.
 */
export function prepareSecret(deps: WebhookDeps, ids: EndpointIds, actor: Actor) {
  const { cipher, clock, random } = deps;
  const action = 'webhook.prepare-secret';
  return withEndpoint(deps, ids, { actor, action }, async (tx, { id }) => {
    const now = clock.now();
    const secrets = await loadSecrets(tx, cipher, id, now);
    if (secrets.some(({ role }) => role === 'next')) return unchanged(ALREADY_PREPARED);
    const secret = generateSecret(random);
    await insertSecret(tx, cipher, { endpointId: id, role: 'next', secret, now });
    return changed({ kind: 'prepared', secret });
  });
}

/** Discards the next secret before it is activated. */
export function withdrawSecret(deps: WebhookDeps, ids: EndpointIds, actor: Actor) {
  const action = 'webhook.withdraw-secret';
  return withEndpoint(deps, ids, { actor, action }, async (tx, { id }) =>
    (await deleteSecret(tx, id, 'next')) ? changed({ kind: 'changed' }) : unchanged(NONE_PREPARED),
  );
}

/**
 * Second step of a rotation: makes the next secret the current one. The old secret adds a second
 * signature during the overlap, which is 0 to 168 hours.
 */
export function activateSecret(
  deps: WebhookDeps,
  { overlapHours = OVERLAP_HOURS, ...ids }: EndpointIds & { overlapHours?: number | undefined },
  actor: Actor,
) {
  const { cipher, clock } = deps;
  const action = 'webhook.activate-secret';
  return withEndpoint(deps, ids, { actor, action }, async (tx, { id }) => {
    if (!(overlapHours >= 0 && overlapHours <= OVERLAP_HOURS_MAX)) {
      return unchanged(INVALID_OVERLAP);
    }
    const now = clock.now();
    const secrets = await loadSecrets(tx, cipher, id, now);
    if (!secrets.some(({ role }) => role === 'next')) return unchanged(NONE_PREPARED);
    const previousEndsAt = overlapHours === 0 ? null : now + overlapHours * HOUR_MS;
    await deleteSecret(tx, id, 'previous');
    if (previousEndsAt === null) await deleteSecret(tx, id, 'current');
    else {
      await moveSecret(tx, id, { from: 'current', to: 'previous', expiresAt: previousEndsAt });
    }
    await moveSecret(tx, id, { from: 'next', to: 'current' });
    return changed({ kind: 'activated', previousEndsAt }, { overlapHours });
  });
}

const ALREADY_PREPARED: Conflict = {
  kind: 'conflict',
  detail: 'A next secret is already prepared. Activate or withdraw it first.',
};
const NONE_PREPARED: Conflict = { kind: 'conflict', detail: 'No next secret is prepared.' };
const INVALID_OVERLAP = invalid('overlapHours', `must be from 0 to ${OVERLAP_HOURS_MAX}`);
