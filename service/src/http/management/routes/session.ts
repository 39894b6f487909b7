import { Type } from 'typebox';
import { FRESH_MS } from '../../../accounts/permissions.ts';
import { findCustomer } from '../../../accounts/customers/customer-store.ts';
import { countRecoveryCodes } from '../../../accounts/second-factor/recovery-codes.ts';
import { endSession } from '../../../accounts/sessions/sessions.ts';
import { confirmPassword, signIn } from '../../../accounts/sign-in/sign-in.ts';
import {
  choice,
  flag,
  instant,
  integer,
  named,
  nullable,
  text,
} from '../../../endpoints/schema/fields.ts';
import { formatInstant } from '../../../platform/instant.ts';
import { planSchema } from '../account-view.ts';
import { ROLES } from '../people-routes.ts';
import { refused, refusedInvalid, refusedTooMany } from '../refusals.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';
import { signedIn } from '../signed-in.ts';

const signInRoute = defineRoute({
  name: 'session-sign-in',
  method: 'POST',
  path: '/account/v1/sign-in',
  summary: 'Sign in',
  describe:
    'Sets the session cookie. `code-required`: the password is right; send all of it again with ' +
    'the six digits of the app, or a recovery code.',
  access: 'anyone',
  body: Type.Object({
    email: Type.String({ maxLength: 254 }),
    password: Type.String({ maxLength: 1024 }),
    code: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  status: 200,
  response: named('SignInResult', {
    status: choice(['signed-in', 'code-required'], 'Whether a code is wanted.'),
  }),
  async handle({ deps, body, visitor }) {
    const { code, ...given } = body;
    const outcome = await signIn(deps, {
      ...given,
      ...visitor,
      ...(code === undefined ? {} : { code }),
    });
    if (outcome.kind === 'too-many') return refusedTooMany(outcome);
    if (outcome.kind === 'refused') {
      return refused('not-signed-in', 'E-mail address, password or code is wrong.');
    }
    if (outcome.kind === 'code-required') return done({ status: 'code-required' });
    const { token, session } = outcome;
    const cookie = {
      set: token,
      expiresAt: session.expiresAt,
    };
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
  describe: 'Ends the session, where there is one, and clears the cookie.',
  access: 'anyone',
  status: 204,
  response: null,
  async handle({ deps, caller, by }) {
    if (caller?.kind === 'person') {
      const { person, session } = caller;
      await endSession(
        deps,
        {
          personId: person.id,
          sessionId: session.id,
        },
        by,
      );
    }
    return {
      kind: 'done',
      cookie: 'clear',
    };
  },
});

const readRoute = defineRoute({
  name: 'session-read',
  method: 'GET',
  path: '/account/v1/session',
  summary: 'Who is signed in',
  access: 'signed-in',
  status: 200,
  response: named('CurrentSession', {
    personId: text('Id, `per_…`.'),
    email: text('E-mail address.'),
    role: choice(ROLES, 'What they may do.'),
    hasSecondFactor: flag('Whether a code is asked at sign-in.'),
    recoveryCodesLeft: integer('Codes that still open in place of the app.'),
    customer: nullable(
      named('SessionCustomer', {
        id: text('Id, `cus_…`.'),
        name: text('Name.'),
        plan: planSchema,
        isSuspended: flag('Whether its keys are refused.'),
      }),
    ),
    sessionId: text('Id, `ses_…`.'),
    expiresAt: instant('When the session ends however busy it is.'),
    freshUntil: instant('Until then the password counts as just given.'),
  }),
  async handle(call) {
    const { db } = call.deps;
    const { person, session } = signedIn(call);
    const { id, email, role, hasSecondFactor, customerId } = person;
    const customer = customerId === null ? null : await findCustomer(db, customerId);
    return done({
      personId: id,
      email,
      role,
      hasSecondFactor,
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
  summary: 'Give the password again',
  describe: 'For calls that ask for it fresh; it is for the next ten minutes.',
  access: 'signed-in',
  body: Type.Object({ password: Type.String({ maxLength: 1024 }) }),
  status: 204,
  response: null,
  async handle(call) {
    const { deps, body, visitor } = call;
    const outcome = await confirmPassword(deps, {
      ...signedIn(call),
      ...body,
      ...visitor,
    });
    if (outcome.kind === 'too-many') return refusedTooMany(outcome);
    if (outcome.kind === 'confirmed') return done();
    return refusedInvalid({
      kind: 'invalid',
      parameter: 'password',
      detail: 'it is wrong',
    });
  },
});

export const group: RouteGroup = {
  name: 'session',
  describe: 'Signing in and out.',
  routes: [signInRoute, signOutRoute, readRoute, confirmRoute],
};
