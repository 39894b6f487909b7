import { Type } from 'typebox';
import {
  acceptInvitation,
  joinByInvitation,
  readInvitation,
} from '../../../accounts/people/invitations.ts';
import { resetPassword } from '../../../accounts/people/password-reset.ts';
import { hasOperator } from '../../../accounts/people/membership-store.ts';
import { setUpOperator } from '../../../accounts/people/setup.ts';
import { signUp } from '../../../accounts/people/sign-up.ts';
import type { Session } from '../../../accounts/sessions/session-store.ts';
import { choice, flag, named, nullable, text } from '../../../endpoints/schema/fields.ts';
import {
  commonRejection,
  reject,
  rejectLink,
  rejectTooMany,
  unexpectedOutcome,
} from '../refusals.ts';
import { type CallResult, defineRoute, done, type RouteGroup } from '../route.ts';
import { ROLES } from './people.ts';
import { emailText, nameText } from '../described-text.ts';
import { signedInPerson } from '../caller.ts';

const PASSWORD = Type.String({ minLength: 1, maxLength: 1_024 });
const EMAIL = emailText('Email address of the person.');
const TOKEN = Type.String({ minLength: 1, maxLength: 200 });

const readRoute = defineRoute({
  name: 'auth-options-read',
  method: 'GET',
  path: '/account/v1/entrance',
  summary: 'Retrieve the sign-in options',
  access: 'anyone',
  status: 200,
  response: named('AuthOptions', {
    isSetUp: flag(
      'Whether an operator exists. If not, create one with the setup token printed at startup.',
    ),
    canSignUp: flag('Whether sign-up is open to everyone.'),
  }),
  async handle({ deps }) {
    return done({ isSetUp: await hasOperator(deps.db), canSignUp: deps.signUpPlan !== null });
  },
});

const setUpRoute = defineRoute({
  name: 'auth-set-up',
  method: 'POST',
  path: '/account/v1/set-up',
  summary: 'Create the first operator',
  describe: 'Requires the setup token printed at first startup. Signs in the new operator.',
  access: 'anyone',
  body: Type.Object({ token: TOKEN, email: EMAIL, password: PASSWORD }),
  status: 204,
  response: null,
  async handle({ deps, body, visitor }) {
    const outcome = await setUpOperator(deps, { ...body, ...visitor });
    if (outcome.kind === 'invalid-link') return rejectLink();
    if (outcome.kind !== 'created') return commonRejection(outcome) ?? unexpectedOutcome(outcome);
    return signedInResult(outcome);
  },
});

const signUpRoute = defineRoute({
  name: 'auth-sign-up',
  method: 'POST',
  path: '/account/v1/sign-up',
  summary: 'Sign up',
  describe:
    'Creates an account and signs in its owner. If you have one with the same email address, this is ' +
    'another one, with a password of its own. Available only if the operator opened sign-up; ' +
    'otherwise people join by invitation.',
  access: 'anyone',
  body: Type.Object({
    name: nameText('Name of the account.'),
    email: EMAIL,
    password: PASSWORD,
  }),
  status: 204,
  response: null,
  async handle({ deps, body, visitor }) {
    const plan = deps.signUpPlan;
    if (plan === null)
      return reject('forbidden', 'Sign-up is closed. Ask the operator for an invitation.');
    const outcome = await signUp(deps, { ...body, plan, ...visitor });
    if (outcome.kind === 'too-many') return rejectTooMany(outcome);
    if (outcome.kind === 'name-taken') {
      return reject('conflict', 'An account with this name already exists. Choose another name.');
    }
    if (outcome.kind !== 'created') return commonRejection(outcome) ?? unexpectedOutcome(outcome);
    return signedInResult(outcome);
  },
});

const invitationRoute = defineRoute({
  name: 'auth-invitation-read',
  method: 'POST',
  path: '/account/v1/invitation',
  summary: 'Retrieve an invitation',
  describe: 'The token is sent in the body because URLs end up in logs.',
  access: 'anyone',
  body: Type.Object({ token: TOKEN }),
  status: 200,
  response: named('InvitationDetails', {
    email: text('Email address of the invited person.'),
    role: choice(ROLES, 'Role the person will have.'),
    customerName: nullable(text('The customer; null for operators.')),
  }),
  async handle({ deps, body }) {
    const invitation = await readInvitation(deps, body.token);
    return invitation === null ? rejectLink() : done(invitation);
  },
});

const acceptRoute = defineRoute({
  name: 'auth-invitation-accept',
  method: 'POST',
  path: '/account/v1/invitation/accept',
  summary: 'Accept an invitation',
  describe:
    'Creates an account with the invited email address and signs in. If you already have an account, ' +
    'sign in and join instead: this creates another one, with a password of its own.',
  access: 'anyone',
  body: Type.Object({ token: TOKEN, password: PASSWORD }),
  status: 204,
  response: null,
  async handle({ deps, body, visitor }) {
    const outcome = await acceptInvitation(deps, { ...body, ...visitor });
    if (outcome.kind === 'invalid-link') return rejectLink();
    if (outcome.kind !== 'created') return commonRejection(outcome) ?? unexpectedOutcome(outcome);
    return signedInResult(outcome);
  },
});

const joinRoute = defineRoute({
  name: 'auth-invitation-join',
  method: 'POST',
  path: '/account/v1/invitation/join',
  summary: 'Join by an invitation',
  describe:
    'Adds the inviting account to those that you may open, and opens it. You must be signed in with ' +
    'the invited email address.',
  access: 'signed-in',
  body: Type.Object({ token: TOKEN }),
  status: 204,
  response: null,
  async handle(call) {
    const { deps, body, actor } = call;
    const outcome = await joinByInvitation(deps, { ...signedInPerson(call), ...body }, actor);
    if (outcome.kind === 'invalid-link') return rejectLink();
    if (outcome.kind === 'other-address') {
      return reject(
        'conflict',
        `The invitation is for ${outcome.email}. Sign in with that address.`,
      );
    }
    return commonRejection(outcome) ?? done();
  },
});

const resetRoute = defineRoute({
  name: 'auth-reset-password',
  method: 'POST',
  path: '/account/v1/password-reset',
  summary: 'Reset a password',
  describe:
    'Uses the token of a password reset link. Ends all sessions of the user. Two-factor ' +
    'authentication stays enabled, so sign in afterwards.',
  access: 'anyone',
  body: Type.Object({ token: TOKEN, password: PASSWORD }),
  status: 204,
  response: null,
  async handle({ deps, body, visitor }) {
    const outcome = await resetPassword(deps, { ...body, ...visitor });
    if (outcome.kind === 'invalid-link') return rejectLink();
    return outcome.kind === 'changed'
      ? done()
      : (commonRejection(outcome) ?? unexpectedOutcome(outcome));
  },
});

/** Returns the response for a person who was just created, with their session cookie. */
function signedInResult({ token, session }: { token: string; session: Session }): CallResult {
  return { kind: 'done', cookie: { set: token, expiresAt: session.expiresAt } };
}

export const group: RouteGroup = {
  name: 'entrance',
  describe: 'Initial setup, sign-up, invitations and password resets.',
  routes: [readRoute, setUpRoute, signUpRoute, invitationRoute, acceptRoute, joinRoute, resetRoute],
};
