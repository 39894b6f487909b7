import { Type } from 'typebox';
import { FRESH_MS, mustAddSecondFactor } from '../../../accounts/permissions.ts';
import { findCustomer } from '../../../accounts/customers/customer-store.ts';
import { countRecoveryCodes } from '../../../accounts/second-factor/recovery-codes.ts';
import { listMemberships } from '../../../accounts/people/membership-store.ts';
import { endSession, switchSession } from '../../../accounts/sessions/sessions.ts';
import { confirmPassword, signIn } from '../../../accounts/sign-in/sign-in.ts';
import {
  choice,
  flag,
  instant,
  integer,
  list,
  named,
  nullable,
  text,
} from '../../../endpoints/schema/fields.ts';
import { formatInstant } from '../../../platform/instant.ts';
import { planSchema } from '../account-view.ts';
import { ROLES } from './people.ts';
import { commonRejection, reject, rejectInvalid, rejectTooMany } from '../refusals.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';
import { signedInPerson } from '../caller.ts';

const signInRoute = defineRoute({
  name: 'session-sign-in',
  method: 'POST',
  path: '/account/v1/sign-in',
  summary: 'Sign in',
  describe:
    'Sets the session cookie. If `status` is `code-required`, the password is correct: repeat ' +
    'the request with the six-digit authenticator code or a recovery code.',
  access: 'anyone',
  body: Type.Object({
    email: Type.String({ maxLength: 254 }),
    password: Type.String({ maxLength: 1024 }),
    code: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  status: 200,
  response: named('SignInResult', {
    status: choice(['signed-in', 'code-required'], 'Whether sign-in is complete or needs a code.'),
  }),
  async handle({ deps, body, visitor }) {
    const { code, ...credentials } = body;
    const outcome = await signIn(deps, {
      ...credentials,
      ...visitor,
      ...(code === undefined ? {} : { code }),
    });
    if (outcome.kind === 'too-many') return rejectTooMany(outcome);
    if (outcome.kind === 'refused') {
      return reject('not-signed-in', 'The email address, password or code is incorrect.');
    }
    if (outcome.kind === 'code-required') return done({ status: 'code-required' });
    const { token, session } = outcome;
    const cookie = { set: token, expiresAt: session.expiresAt };
    return {
      kind: 'done',
      body: { status: 'signed-in' },
      cookie,
    };
  },
});

const signOutRoute = defineRoute({
  name: 'session-sign-out',
  method: 'POST',
  path: '/account/v1/sign-out',
  summary: 'Sign out',
  describe: 'Ends the current session, if any, and clears the session cookie.',
  access: 'anyone',
  status: 204,
  response: null,
  async handle({ deps, caller, actor }) {
    if (caller?.kind === 'person') {
      const { person, session } = caller;
      const { id: personId, customerId } = person;
      await endSession(deps, { personId, customerId, sessionId: session.id }, actor);
    }
    return { kind: 'done', cookie: 'clear' };
  },
});

const readRoute = defineRoute({
  name: 'session-read',
  method: 'GET',
  path: '/account/v1/session',
  summary: 'Retrieve the current session',
  access: 'signed-in',
  status: 200,
  response: named('CurrentSession', {
    personId: text('Person ID, `per_…`.'),
    email: text('Email address.'),
    role: choice(ROLES, 'Role of the person.'),
    hasSecondFactor: flag('Whether two-factor authentication is enabled.'),
    mustAddSecondFactor: flag(
      'Whether this service requires two-factor authentication for you and it is not enabled. Until then, you can only manage your own sign-in.',
    ),
    recoveryCodesLeft: integer('Number of unused recovery codes.'),
    customer: nullable(
      named('SessionCustomer', {
        id: text('Customer ID, `cus_…`.'),
        name: text('Customer name.'),
        plan: planSchema,
        isSuspended: flag('Whether the customer is suspended and its API keys are rejected.'),
      }),
    ),
    memberships: list(
      named('Membership', {
        customerId: nullable(text('Customer ID, `cus_…`; null for the service itself.')),
        customerName: nullable(text('Customer name; null for the service itself.')),
        role: choice(ROLES, 'Role of the person there.'),
      }),
      'What the session can show: the service for operators, then the customers by name.',
    ),
    sessionId: text('Session ID, `ses_…`.'),
    expiresAt: instant('Expiration time of the session, regardless of activity.'),
    freshUntil: instant('Until this time, calls that require a recent password are allowed.'),
  }),
  async handle(call) {
    const { db } = call.deps;
    const { person, session } = signedInPerson(call);
    const { id, email, role, hasSecondFactor, customerId } = person;
    const customer = customerId === null ? null : await findCustomer(db, customerId);
    return done({
      personId: id,
      email,
      role,
      hasSecondFactor,
      mustAddSecondFactor: mustAddSecondFactor(person, call.deps.secondFactorRule),
      recoveryCodesLeft: await countRecoveryCodes(db, id),
      customer:
        customer === null
          ? null
          : {
              id: customer.id,
              name: customer.name,
              plan: customer.plan,
              isSuspended: customer.suspendedAt !== null,
            },
      memberships: await listMemberships(db, id),
      sessionId: session.id,
      expiresAt: formatInstant(session.expiresAt),
      freshUntil: formatInstant(session.passwordAt + FRESH_MS),
    });
  },
});

const confirmRoute = defineRoute({
  name: 'session-confirm-password',
  method: 'POST',
  path: '/account/v1/session/confirm',
  summary: 'Confirm your password',
  describe:
    'Required before sensitive calls. The confirmation is valid for ten minutes. The session gets ' +
    'a new ID and cookie.',
  access: 'signed-in',
  body: Type.Object({ password: Type.String({ maxLength: 1024 }) }),
  status: 204,
  response: null,
  async handle(call) {
    const { deps, body, visitor } = call;
    const outcome = await confirmPassword(deps, { ...signedInPerson(call), ...body, ...visitor });
    if (outcome.kind === 'too-many') return rejectTooMany(outcome);
    if (outcome.kind === 'refused') return rejectInvalid('password', 'the password is incorrect');
    const { token, session } = outcome;
    return { kind: 'done', cookie: { set: token, expiresAt: session.expiresAt } };
  },
});

const switchRoute = defineRoute({
  name: 'session-switch',
  method: 'POST',
  path: '/account/v1/session/switch',
  summary: 'Switch to another account',
  describe:
    'The session then shows another customer that you belong to, or the service to an operator.',
  access: 'signed-in',
  body: Type.Object({
    customerId: nullable(text('Customer ID, `cus_…`; null for the service itself.')),
  }),
  status: 204,
  response: null,
  async handle(call) {
    const { deps, body, actor } = call;
    const { person, session } = signedInPerson(call);
    const options = { ...body, personId: person.id, sessionId: session.id };
    return commonRejection(await switchSession(deps, options, actor)) ?? done();
  },
});

export const group: RouteGroup = {
  name: 'session',
  describe: 'Sign-in, sign-out and the current session.',
  routes: [signInRoute, signOutRoute, readRoute, confirmRoute, switchRoute],
};
