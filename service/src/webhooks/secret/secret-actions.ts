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
import { withEndpoint } from '../endpoint/endpoint-action.ts';

const HOUR_MS = 3_600_000;
/** How long the old secret signs along, unless told otherwise. */
export const OVERLAP_HOURS = 24;
export const OVERLAP_HOURS_MAX = 7 * 24;

/** Shows the secrets of an endpoint; the caller sees to it that the password was just given. */
export function revealSecrets(deps: WebhookDeps, of: EndpointIds, actor: Actor) {
  const { cipher, clock } = deps;
  return withEndpoint(deps, of, { by: actor, act: 'webhook.reveal-secret' }, async (tx, { id }) => {
    const secrets = await loadSecrets(tx, cipher, id, clock.now());
    const details = { roles: secrets.map(({ role }) => role) };
    return { kind: 'revealed' as const, secrets, details };
  });
}

/**
 * First step of a change: makes the next secret and shows it. From now on deliveries carry a second
 * signature with it, so that a receiver can be tried before it counts.
 */
export function prepareSecret(deps: WebhookDeps, of: EndpointIds, actor: Actor) {
  const { cipher, clock, random } = deps;
  return withEndpoint(
    deps,
    of,
    { by: actor, act: 'webhook.prepare-secret' },
    async (tx, { id }) => {
      const now = clock.now();
      const stands = await loadSecrets(tx, cipher, id, now);
      if (stands.some(({ role }) => role === 'next')) return IS_PREPARED;
      const secret = generateSecret(random);
      await insertSecret(tx, cipher, { endpointId: id, role: 'next', secret, now });
      return { kind: 'prepared' as const, secret, details: {} };
    },
  );
}

/** Takes the next secret back before it counts. */
export function withdrawSecret(deps: WebhookDeps, of: EndpointIds, actor: Actor) {
  return withEndpoint(deps, of, { by: actor, act: 'webhook.withdraw-secret' }, async (tx, { id }) =>
    (await deleteSecret(tx, id, 'next'))
      ? { kind: 'changed' as const, details: {} }
      : NONE_PREPARED,
  );
}

/**
 * Second step: the next secret makes the main signature, and the old one a second signature for the
 * hours of the overlap, 0 to 168.
 */
export function activateSecret(
  deps: WebhookDeps,
  { overlapHours = OVERLAP_HOURS, ...of }: EndpointIds & { overlapHours?: number | undefined },
  actor: Actor,
) {
  const { cipher, clock } = deps;
  return withEndpoint(
    deps,
    of,
    { by: actor, act: 'webhook.activate-secret' },
    async (tx, { id }) => {
      if (!(overlapHours >= 0 && overlapHours <= OVERLAP_HOURS_MAX)) return BAD_OVERLAP;
      const now = clock.now();
      const stands = await loadSecrets(tx, cipher, id, now);
      if (!stands.some(({ role }) => role === 'next')) return NONE_PREPARED;
      const previousEndsAt = overlapHours === 0 ? null : now + overlapHours * HOUR_MS;
      await deleteSecret(tx, id, 'previous');
      if (previousEndsAt === null) await deleteSecret(tx, id, 'current');
      else {
        await moveSecret(tx, id, { from: 'current', to: 'previous', expiresAt: previousEndsAt });
      }
      await moveSecret(tx, id, { from: 'next', to: 'current' });
      return { kind: 'activated' as const, previousEndsAt, details: { overlapHours } };
    },
  );
}

const IS_PREPARED: Conflict = {
  kind: 'conflict',
  detail: 'A next secret is prepared: activate or withdraw it first.',
};
const NONE_PREPARED: Conflict = {
  kind: 'conflict',
  detail: 'No next secret is prepared.',
};
const BAD_OVERLAP = invalid('overlapHours', `from 0 to ${OVERLAP_HOURS_MAX}`);
