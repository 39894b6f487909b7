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
import { shown } from '../instants.ts';
import { type Call, defineRoute, done, type RouteGroup } from '../route.ts';
import { webhookRefusal } from '../webhook-refusals.ts';

const PATH = '/account/v1/webhooks/{endpointId}/secret';

const secret = named('WebhookSecret', {
  role: choice(
    ['current', 'next', 'previous'],
    '`next` is prepared and signs beside; `previous` signs beside until it ends.',
  ),
  secret: text('`whsec_…`, the key of the signature as it stands here.'),
  createdAt: instant('When it was made.'),
  expiresAt: nullable(instant('When it ends; null: when it is changed.')),
});

const revealRoute = defineRoute({
  name: 'webhook-secrets-reveal',
  method: 'POST',
  path: `${PATH}/reveal`,
  summary: 'Show the secrets of an endpoint',
  describe: 'For people who gave their password in the last ten minutes; it is in the audit.',
  access: 'webhook-secrets.reveal',
  status: 200,
  response: list(secret, 'In force first.'),
  async handle(call) {
    const outcome = await revealSecrets(call.deps, endpointOf(call), call.by);
    if (outcome.kind !== 'revealed') return webhookRefusal(outcome);
    return done(
      outcome.secrets.map((one) => ({
        role: one.role,
        secret: one.secret,
        createdAt: formatInstant(one.createdAt),
        expiresAt: shown(one.expiresAt),
      })),
    );
  },
});

const prepareRoute = defineRoute({
  name: 'webhook-secrets-prepare',
  method: 'POST',
  path: `${PATH}/prepare`,
  summary: 'Change the secret, first step',
  describe:
    'Makes the next secret and shows it. From now on deliveries carry `…-Signature-Next` as well.',
  access: 'webhook-secrets.rotate',
  status: 201,
  response: named('PreparedSecret', { secret: text('`whsec_…`, of the second signature.') }),
  async handle(call) {
    const outcome = await prepareSecret(call.deps, endpointOf(call), call.by);
    return outcome.kind === 'prepared' ? done({ secret: outcome.secret }) : webhookRefusal(outcome);
  },
});

const withdrawRoute = defineRoute({
  name: 'webhook-secrets-withdraw',
  method: 'POST',
  path: `${PATH}/withdraw`,
  summary: 'Take a prepared secret back',
  access: 'webhook-secrets.rotate',
  status: 204,
  response: null,
  async handle(call) {
    const outcome = await withdrawSecret(call.deps, endpointOf(call), call.by);
    return outcome.kind === 'changed' ? done() : webhookRefusal(outcome);
  },
});

const activateRoute = defineRoute({
  name: 'webhook-secrets-activate',
  method: 'POST',
  path: `${PATH}/activate`,
  summary: 'Change the secret, second step',
  describe:
    'The next secret makes the main signature. The old one makes `…-Signature-Previous` until the ' +
    'overlap is over.',
  access: 'webhook-secrets.rotate',
  body: Type.Object({
    overlapHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: OVERLAP_HOURS_MAX,
        description: 'How long the old one signs beside; 24 unless given.',
      }),
    ),
  }),
  status: 200,
  response: named('ActivatedSecret', {
    previousEndsAt: nullable(instant('When the old one ends; null: at once.')),
  }),
  async handle(call) {
    const { overlapHours } = call.body;
    const options = {
      ...endpointOf(call),
      overlapHours,
    };
    const outcome = await activateSecret(call.deps, options, call.by);
    return outcome.kind === 'activated'
      ? done({ previousEndsAt: shown(outcome.previousEndsAt) })
      : webhookRefusal(outcome);
  },
});

export const group: RouteGroup = {
  name: 'webhook-secrets',
  describe: 'What signs deliveries, and how it is changed without losing one.',
  routes: [revealRoute, prepareRoute, withdrawRoute, activateRoute],
};

function endpointOf(call: Call): { customerId: string; endpointId: string } {
  return { customerId: call.customerId, endpointId: call.param('endpointId') };
}
