import { Type } from 'typebox';
import { changePassword } from '../../../accounts/people/change-password.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from '../../../accounts/second-factor/second-factor.ts';
import { endAllSessions, endSession, listSessions } from '../../../accounts/sessions/sessions.ts';
import { flag, instant, list, named, nullable, text } from '../../../endpoints/schema/fields.ts';
import { formatInstant } from '../../../platform/instant.ts';
import {
  commonRefusal,
  refused,
  refusedInvalid,
  refusedNotFound,
  refusedTooMany,
} from '../refusals.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';
import { signedIn } from '../signed-in.ts';

const PASSWORD = Type.String({ maxLength: 1_024 });

const session = named('Session', {
  id: text('Id, `ses_…`.'),
  isThis: flag('Whether it is the one that asks.'),
  createdAt: instant('When it began.'),
  lastSeenAt: instant('Last use, to the minute.'),
  expiresAt: instant('When it ends however busy it is.'),
  address: nullable(text('Network address it began from.')),
  userAgent: nullable(text('What the browser calls itself.')),
});

const recoveryCodes = named('RecoveryCodes', {
  recoveryCodes: list(text('Opens once in place of the app.'), 'They are shown this once.'),
});

const sessionsRoute = defineRoute({
  name: 'sessions-list',
  method: 'GET',
  path: '/account/v1/sessions',
  summary: 'One’s own sessions',
  access: 'signed-in',
  status: 200,
  response: list(session, 'The latest used first.'),
  async handle(call) {
    const { person, session: own } = signedIn(call);
    const sessions = await listSessions(call.deps, person.id);
    return done(
      sessions.map(({ id, createdAt, lastSeenAt, expiresAt, address, userAgent }) => ({
        id,
        isThis: id === own.id,
        address,
        userAgent,
        createdAt: formatInstant(createdAt),
        lastSeenAt: formatInstant(lastSeenAt),
        expiresAt: formatInstant(expiresAt),
      })),
    );
  },
});

const endRoute = defineRoute({
  name: 'sessions-revoke',
  method: 'DELETE',
  path: '/account/v1/sessions/{sessionId}',
  summary: 'End one of one’s own sessions',
  access: 'signed-in',
  status: 204,
  response: null,
  async handle(call) {
    const { person } = signedIn(call);
    const options = {
      personId: person.id,
      sessionId: call.param('sessionId'),
    };
    return commonRefusal(await endSession(call.deps, options, call.by)) ?? done();
  },
});

const endAllRoute = defineRoute({
  name: 'sessions-revoke-all',
  method: 'DELETE',
  path: '/account/v1/sessions',
  summary: 'End all of one’s own sessions, this one too',
  access: 'signed-in',
  status: 204,
  response: null,
  async handle(call) {
    await endAllSessions(call.deps, signedIn(call).person.id, call.by);
    return {
      kind: 'done',
      cookie: 'clear',
    };
  },
});

const passwordRoute = defineRoute({
  name: 'password-change',
  method: 'POST',
  path: '/account/v1/password',
  summary: 'Change one’s own password',
  describe: 'Ends all sessions; this browser has a new one.',
  access: 'signed-in',
  body: Type.Object({
    current: PASSWORD,
    next: PASSWORD,
  }),
  status: 204,
  response: null,
  async handle(call) {
    const { deps, body, visitor } = call;
    const { person } = signedIn(call);
    const outcome = await changePassword(deps, {
      person,
      ...body,
      ...visitor,
    });
    if (outcome.kind === 'too-many') return refusedTooMany(outcome);
    if (outcome.kind === 'refused') {
      return refusedInvalid({
        kind: 'invalid',
        parameter: 'current',
        detail: 'it is wrong',
      });
    }
    if (outcome.kind === 'invalid')
      return refusedInvalid({
        ...outcome,
        parameter: 'next',
      });
    const { token, session: begun } = outcome;
    return {
      kind: 'done',
      cookie: {
        set: token,
        expiresAt: begun.expiresAt,
      },
    };
  },
});

const beginRoute = defineRoute({
  name: 'second-factor-begin',
  method: 'POST',
  path: '/account/v1/second-factor',
  summary: 'Begin with a second factor',
  describe: 'Nothing is asked at sign-in until a code has been confirmed.',
  access: 'signed-in',
  fresh: true,
  status: 201,
  response: named('SecondFactorSecret', {
    secret: text('To type into the app; it is shown this once.'),
    address: text('`otpauth://…`, for a picture that the app reads.'),
  }),
  async handle(call) {
    const { deps } = call;
    const options = {
      personId: signedIn(call).person.id,
      issuer: deps.brand,
    };
    const outcome = await beginSecondFactor(deps, options);
    if (outcome.kind === 'exists') {
      return refused('conflict', 'There is a second factor: remove it first.');
    }
    if (outcome.kind === 'not-found') return refusedNotFound();
    const { secret, address } = outcome;
    return done({
      secret,
      address,
    });
  },
});

const confirmRoute = defineRoute({
  name: 'second-factor-confirm',
  method: 'POST',
  path: '/account/v1/second-factor/confirm',
  summary: 'Confirm the second factor with a code of the app',
  access: 'signed-in',
  fresh: true,
  body: Type.Object({ code: Type.String() }),
  status: 200,
  response: recoveryCodes,
  async handle(call) {
    const { deps, by, body } = call;
    const options = {
      personId: signedIn(call).person.id,
      code: body.code,
    };
    const outcome = await confirmSecondFactor(deps, options, by);
    if (outcome.kind === 'not-found') return refused('conflict', 'Begin with it first.');
    if (outcome.kind === 'wrong-code') {
      const detail = 'it is not the code of now: check the clock of the device';
      return refusedInvalid({
        kind: 'invalid',
        parameter: 'code',
        detail,
      });
    }
    return done({ recoveryCodes: outcome.recoveryCodes });
  },
});

const removeRoute = defineRoute({
  name: 'second-factor-remove',
  method: 'DELETE',
  path: '/account/v1/second-factor',
  summary: 'Remove one’s own second factor',
  access: 'signed-in',
  fresh: true,
  status: 204,
  response: null,
  async handle(call) {
    await removeSecondFactor(call.deps, signedIn(call).person.id, call.by);
    return done();
  },
});

const codesRoute = defineRoute({
  name: 'recovery-codes-regenerate',
  method: 'POST',
  path: '/account/v1/recovery-codes',
  summary: 'New recovery codes in place of all there are',
  access: 'signed-in',
  fresh: true,
  status: 201,
  response: recoveryCodes,
  async handle(call) {
    const outcome = await renewRecoveryCodes(call.deps, signedIn(call).person.id, call.by);
    if (outcome.kind === 'not-found') return refused('conflict', 'There is no second factor.');
    return done({ recoveryCodes: outcome.recoveryCodes });
  },
});

export const group: RouteGroup = {
  name: 'security',
  describe: 'One’s own sessions, password and second factor.',
  routes: [
    sessionsRoute,
    endRoute,
    endAllRoute,
    passwordRoute,
    beginRoute,
    confirmRoute,
    removeRoute,
    codesRoute,
  ],
};
