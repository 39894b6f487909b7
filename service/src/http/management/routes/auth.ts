import { Type } from 'typebox';
import { acceptInvitation, readInvitation } from '../../../accounts/people/invitations.ts';
import { resetPassword } from '../../../accounts/people/password-reset.ts';
import { hasOperator } from '../../../accounts/people/person-store.ts';
import { setUpOperator } from '../../../accounts/people/setup.ts';
import { signUp } from '../../../accounts/people/sign-up.ts';
import { choice, flag, named, nullable, text } from '../../../endpoints/schema/fields.ts';
import { commonRefusal, refused, refusedLink, refusedTooMany, unexpected } from '../refusals.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';
import { enter } from '../enter.ts';
import { ROLES } from '../people-routes.ts';

const PASSWORD = Type.String({ minLength: 1, maxLength: 1_024 });
const EMAIL = Type.String({ maxLength: 254 });
const TOKEN = Type.String({ minLength: 1, maxLength: 200 });

const readRoute = defineRoute({
  name: 'auth-options-read',
  method: 'GET',
  path: '/account/v1/entrance',
  summary: 'The ways in',
  access: 'anyone',
  status: 200,
  response: named('AuthOptions', {
    isSetUp: flag('False while there is no operator: the token of the start makes the first one.'),
    canSignUp: flag('Whether anyone may make an account.'),
  }),
  async handle({ deps }) {
    return done({
      isSetUp: await hasOperator(deps.db),
      canSignUp: deps.signUpPlan !== null,
    });
  },
});

const setUpRoute = defineRoute({
  name: 'auth-set-up',
  method: 'POST',
  path: '/account/v1/set-up',
  summary: 'Make the first operator',
  describe: 'With the token that the first start printed. Whoever does it is signed in.',
  access: 'anyone',
  body: Type.Object({
    token: TOKEN,
    email: EMAIL,
    password: PASSWORD,
  }),
  status: 204,
  response: null,
  async handle({ deps, body, visitor }) {
    const outcome = await setUpOperator(deps, {
      ...body,
      ...visitor,
    });
    if (outcome.kind === 'invalid-link') return refusedLink();
    if (outcome.kind !== 'created') return commonRefusal(outcome) ?? unexpected(outcome);
    return enter(outcome);
  },
});

const signUpRoute = defineRoute({
  name: 'auth-sign-up',
  method: 'POST',
  path: '/account/v1/sign-up',
  summary: 'Make an account of one’s own',
  describe: 'Where the operator lets anyone; elsewhere people come by invitation.',
  access: 'anyone',
  body: Type.Object({
    name: Type.String({ maxLength: 200 }),
    email: EMAIL,
    password: PASSWORD,
  }),
  status: 204,
  response: null,
  async handle({ deps, body, visitor }) {
    const plan = deps.signUpPlan;
    if (plan === null) return refused('forbidden', 'People come by invitation here.');
    const outcome = await signUp(deps, {
      ...body,
      plan,
      ...visitor,
    });
    if (outcome.kind === 'too-many') return refusedTooMany(outcome);
    if (outcome.kind === 'name-taken') {
      return refused('conflict', 'There is an account of this name: choose another.');
    }
    if (outcome.kind !== 'created') return commonRefusal(outcome) ?? unexpected(outcome);
    return enter(outcome);
  },
});

const invitationRoute = defineRoute({
  name: 'auth-invitation-read',
  method: 'POST',
  path: '/account/v1/invitation',
  summary: 'What an invitation says',
  describe: 'The token goes into the body: addresses end up in logs.',
  access: 'anyone',
  body: Type.Object({ token: TOKEN }),
  status: 200,
  response: named('InvitationDetails', {
    email: text('Who is invited.'),
    role: choice(ROLES, 'What they will be.'),
    customerName: nullable(text('Where; null for operators.')),
  }),
  async handle({ deps, body }) {
    const invitation = await readInvitation(deps, body.token);
    return invitation === null ? refusedLink() : done(invitation);
  },
});

const acceptRoute = defineRoute({
  name: 'auth-invitation-accept',
  method: 'POST',
  path: '/account/v1/invitation/accept',
  summary: 'Accept an invitation',
  describe: 'Chooses a password. Whoever does it is signed in.',
  access: 'anyone',
  body: Type.Object({
    token: TOKEN,
    password: PASSWORD,
  }),
  status: 204,
  response: null,
  async handle({ deps, body, visitor }) {
    const outcome = await acceptInvitation(deps, {
      ...body,
      ...visitor,
    });
    if (outcome.kind === 'invalid-link') return refusedLink();
    if (outcome.kind !== 'created') return commonRefusal(outcome) ?? unexpected(outcome);
    return enter(outcome);
  },
});

const resetRoute = defineRoute({
  name: 'auth-reset-password',
  method: 'POST',
  path: '/account/v1/password-reset',
  summary: 'Choose a new password with a link',
  describe: 'Ends all sessions of the person. A second factor stays as it is: sign in afterwards.',
  access: 'anyone',
  body: Type.Object({
    token: TOKEN,
    password: PASSWORD,
  }),
  status: 204,
  response: null,
  async handle({ deps, body, visitor }) {
    const outcome = await resetPassword(deps, {
      ...body,
      ...visitor,
    });
    if (outcome.kind === 'invalid-link') return refusedLink();
    return outcome.kind === 'changed' ? done() : (commonRefusal(outcome) ?? unexpected(outcome));
  },
});

export const group: RouteGroup = {
  name: 'entrance',
  describe: 'For people who are not signed in: the first operator, invitations, lost passwords.',
  routes: [readRoute, setUpRoute, signUpRoute, invitationRoute, acceptRoute, resetRoute],
};
