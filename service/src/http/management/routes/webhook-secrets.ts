import { Type } from 'typebox';
import {
  activateSecret,
  OVERLAP_HOURS_MAX,
  prepareSecret,
  revealSecrets,
  withdrawSecret,
} from '../../../webhooks/secret/secret-actions.ts';
import { choice, instant, list, named, nullable, text } from '../../../endpoints/schema/fields.ts';
import { formatInstant } from '../../../platform/instant.ts';
import { formatOptional } from '../instants.ts';
import { webhookRejection } from '../refusals.ts';
import { type Call, defineRoute, done, type RouteGroup } from '../route.ts';

const PATH = '/account/v1/webhooks/{endpointId}/secret';

const secretSchema = named('WebhookSecret', {
  role: choice(
    ['current', 'next', 'previous'],
    '`next` is prepared and adds a second signature; `previous` adds one until it expires.',
  ),
  secret: text('`whsec_…`. The whole string is the HMAC key.'),
  createdAt: instant('Time of creation.'),
  expiresAt: nullable(instant('Expiration time; null until the secret is rotated.')),
});

const revealRoute = defineRoute({
  name: 'webhook-secrets-reveal',
  method: 'POST',
  path: `${PATH}/reveal`,
  summary: "Reveal an endpoint's signing secrets",
  describe: 'Requires a password confirmation in the last ten minutes. Recorded in the audit log.',
  access: 'webhook-secrets.reveal',
  isRead: true,
  status: 200,
  response: list(secretSchema, 'Current secret first.'),
  async handle(call) {
    const outcome = await revealSecrets(call.deps, endpointOf(call), call.actor);
    if (outcome.kind !== 'revealed') return webhookRejection(outcome);
    return done(
      outcome.secrets.map((entry) => ({
        role: entry.role,
        secret: entry.secret,
        createdAt: formatInstant(entry.createdAt),
        expiresAt: formatOptional(entry.expiresAt),
      })),
    );
  },
});

const prepareRoute = defineRoute({
  name: 'webhook-secrets-prepare',
  method: 'POST',
  path: `${PATH}/prepare`,
  summary: 'Prepare a new signing secret',
  describe:
    'First step of a secret rotation. Creates and returns the next secret; from now on ' +
    'deliveries also carry `…-Signature-Next`.',
  access: 'webhook-secrets.rotate',
  status: 201,
  response: named('PreparedSecret', {
    secret: text('`whsec_…`, the secret of the second signature.'),
  }),
  async handle(call) {
    const outcome = await prepareSecret(call.deps, endpointOf(call), call.actor);
    return outcome.kind === 'prepared'
      ? done({ secret: outcome.secret })
      : webhookRejection(outcome);
  },
});

const withdrawRoute = defineRoute({
  name: 'webhook-secrets-withdraw',
  method: 'POST',
  path: `${PATH}/withdraw`,
  summary: 'Discard a prepared signing secret',
  access: 'webhook-secrets.rotate',
  status: 204,
  response: null,
  async handle(call) {
    const outcome = await withdrawSecret(call.deps, endpointOf(call), call.actor);
    return outcome.kind === 'changed' ? done() : webhookRejection(outcome);
  },
});

const activateRoute = defineRoute({
  name: 'webhook-secrets-activate',
  method: 'POST',
  path: `${PATH}/activate`,
  summary: 'Activate a prepared signing secret',
  describe:
    'Second step of a secret rotation. The next secret becomes the current entry. The old secret ' +
    'signs `…-Signature-Previous` until the overlap ends.',
  access: 'webhook-secrets.rotate',
  body: Type.Object({
    overlapHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: OVERLAP_HOURS_MAX,
        description: 'Hours during which the old secret still signs; 24 by default.',
      }),
    ),
  }),
  status: 200,
  response: named('ActivatedSecret', {
    previousEndsAt: nullable(
      instant('Expiration time of the old secret; null if it expired immediately.'),
    ),
  }),
  async handle(call) {
    const { overlapHours } = call.body;
    const options = { ...endpointOf(call), overlapHours };
    const outcome = await activateSecret(call.deps, options, call.actor);
    return outcome.kind === 'activated'
      ? done({ previousEndsAt: formatOptional(outcome.previousEndsAt) })
      : webhookRejection(outcome);
  },
});

export const group: RouteGroup = {
  name: 'webhook-secrets',
  describe: 'Signing secrets of webhook endpoints, rotated without downtime.',
  routes: [revealRoute, prepareRoute, withdrawRoute, activateRoute],
};

function endpointOf(call: Call): { customerId: string; endpointId: string } {
  return { customerId: call.customerId, endpointId: call.param('endpointId') };
}
