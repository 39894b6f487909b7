import type { PersonRef } from '../../../accounts/people/membership-store.ts';
import { createPasswordReset } from '../../../accounts/people/password-reset.ts';
import { findPerson } from '../../../accounts/people/person-store.ts';
import { removeSecondFactor } from '../../../accounts/second-factor/second-factor.ts';
import { formatInstant } from '../../../platform/instant.ts';
import { commonRejection, rejectNotFound } from '../refusals.ts';
import { type Call, defineRoute, done, type RouteGroup } from '../route.ts';
import { linkTo, oneTimeLink } from './people.ts';

const passwordResetRoute = defineRoute({
  name: 'people-reset-password',
  method: 'POST',
  path: '/operator/v1/people/{personId}/password-reset',
  summary: 'Create a password reset link for a person',
  describe:
    'The current password works until the link is used. Earlier links of the person stop working. ' +
    'Owners cannot do this: the link opens every account of the person. They can remove a member ' +
    'and invite them again.',
  access: 'operators.change',
  status: 201,
  response: oneTimeLink,
  async handle(call) {
    const person = await findRef(call);
    if (person === null) return rejectNotFound();
    const outcome = await createPasswordReset(call.deps, person, call.actor);
    if (outcome.kind !== 'made') return rejectNotFound();
    const link = linkTo(call, 'password-reset', outcome.token);
    return done({ id: null, link, expiresAt: formatInstant(outcome.expiresAt) });
  },
});

const secondFactorRoute = defineRoute({
  name: 'people-remove-second-factor',
  method: 'DELETE',
  path: '/operator/v1/people/{personId}/second-factor',
  summary: 'Disable two-factor authentication for a person',
  describe: 'For a person who has lost their device and recovery codes.',
  access: 'operators.change',
  status: 204,
  response: null,
  async handle(call) {
    const person = await findRef(call);
    if (person === null) return rejectNotFound();
    const outcome = await removeSecondFactor(call.deps, person, call.actor);
    return commonRejection(outcome) ?? done();
  },
});

async function findRef({ deps, param }: Pick<Call, 'deps' | 'param'>): Promise<PersonRef | null> {
  const person = await findPerson(deps.db, param('personId'));
  return person === null ? null : { personId: person.id, customerId: person.customerId };
}

export const group: RouteGroup = {
  name: 'recovery',
  describe: 'Help for people who cannot sign in.',
  routes: [passwordResetRoute, secondFactorRoute],
};
