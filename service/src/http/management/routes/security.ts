import { Type } from 'typebox';
import { changePassword } from '../../../accounts/people/change-password.ts';
import type { PersonRef } from '../../../accounts/people/membership-store.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeOwnSecondFactor,
  renewRecoveryCodes,
} from '../../../accounts/second-factor/second-factor.ts';
import { endAllSessions, endSession, listSessions } from '../../../accounts/sessions/sessions.ts';
import { flag, instant, list, named, nullable, text } from '../../../endpoints/schema/fields.ts';
import { formatInstant } from '../../../platform/instant.ts';
import {
  commonRejection,
  reject,
  rejectInvalid,
  rejectNotFound,
  rejectTooMany,
} from '../refusals.ts';
import { isFresh } from '../../../accounts/permissions.ts';
import { DENIALS } from '../denials.ts';
import { type Call, defineRoute, done, type RouteGroup } from '../route.ts';
import { signedInPerson } from '../caller.ts';

const WRONG_CODE = 'the code is not valid now; check the clock of your device';
const PASSWORD = Type.String({ maxLength: 1_024 });

const sessionSchema = named('Session', {
  id: text('Session ID, `ses_…`.'),
  isThis: flag('Whether this is the current session.'),
  createdAt: instant('Time of sign-in.'),
  lastSeenAt: instant('Last use, to the minute.'),
  expiresAt: instant('Expiration time, regardless of activity.'),
  address: nullable(text('IP address at sign-in.')),
  userAgent: nullable(text('User agent of the browser.')),
});

const recoveryCodesSchema = named('RecoveryCodes', {
  recoveryCodes: list(
    text('Single-use code in place of an authenticator code.'),
    'Recovery codes, shown only once.',
  ),
});

const sessionsRoute = defineRoute({
  name: 'sessions-list',
  method: 'GET',
  path: '/account/v1/sessions',
  summary: 'List your sessions',
  access: 'signed-in',
  status: 200,
  response: list(sessionSchema, 'Most recently used first.'),
  async handle(call) {
    const { person, session: current } = signedInPerson(call);
    const sessions = await listSessions(call.deps, person.id);
    return done(
      sessions.map(({ id, createdAt, lastSeenAt, expiresAt, address, userAgent }) => ({
        id,
        isThis: id === current.id,
        address,
        userAgent,
        createdAt: formatInstant(createdAt),
        lastSeenAt: formatInstant(lastSeenAt),
        expiresAt: formatInstant(expiresAt),
      })),
    );
  },
});

const revokeRoute = defineRoute({
  name: 'sessions-revoke',
  method: 'DELETE',
  path: '/account/v1/sessions/{sessionId}',
  summary: 'Revoke one of your sessions',
  describe:
    'A session other than the current one requires a password confirmation within the last ten ' +
    'minutes.',
  access: 'signed-in',
  status: 204,
  response: null,
  async handle(call) {
    const { session } = signedInPerson(call);
    const options = { ...selfOf(call), sessionId: call.param('sessionId') };
    if (options.sessionId !== session.id && !isFresh(session.passwordAt, call.now)) {
      return { kind: 'rejected', problem: DENIALS['fresh-password-required'] };
    }
    return commonRejection(await endSession(call.deps, options, call.actor)) ?? done();
  },
});

const revokeAllRoute = defineRoute({
  name: 'sessions-revoke-all',
  method: 'DELETE',
  path: '/account/v1/sessions',
  summary: 'Revoke all of your sessions',
  describe: 'Includes the current session.',
  access: 'signed-in',
  needsRecentPassword: true,
  status: 204,
  response: null,
  async handle(call) {
    await endAllSessions(call.deps, selfOf(call), call.actor);
    return { kind: 'done', cookie: 'clear' };
  },
});

const passwordRoute = defineRoute({
  name: 'password-change',
  method: 'POST',
  path: '/account/v1/password',
  summary: 'Change your password',
  describe: 'Revokes all your sessions and starts a new one for this browser.',
  access: 'signed-in',
  body: Type.Object({ current: PASSWORD, next: PASSWORD }),
  status: 204,
  response: null,
  async handle(call) {
    const { deps, body, visitor } = call;
    const { person } = signedInPerson(call);
    const outcome = await changePassword(deps, { person, ...body, ...visitor });
    if (outcome.kind === 'too-many') return rejectTooMany(outcome);
    if (outcome.kind === 'refused') {
      return rejectInvalid('current', 'the password is incorrect');
    }
    if (outcome.kind === 'invalid') return rejectInvalid('next', outcome.detail);
    const { token, session: newSession } = outcome;
    return {
      kind: 'done',
      cookie: { set: token, expiresAt: newSession.expiresAt },
    };
  },
});

const beginRoute = defineRoute({
  name: 'second-factor-begin',
  method: 'POST',
  path: '/account/v1/second-factor',
  summary: 'Set up two-factor authentication',
  describe:
    'Returns a secret for an authenticator app. Two-factor authentication is enabled once you ' +
    'confirm a code.',
  access: 'signed-in',
  needsRecentPassword: true,
  status: 201,
  response: named('SecondFactorSecret', {
    secret: text('Secret to enter into the authenticator app, shown only once.'),
    address: text('`otpauth://` URL for a QR code.'),
  }),
  async handle(call) {
    const { deps } = call;
    const options = { personId: signedInPerson(call).person.id, issuer: deps.brand };
    const outcome = await beginSecondFactor(deps, options);
    if (outcome.kind === 'exists') {
      return reject('conflict', 'Two-factor authentication is already enabled. Disable it first.');
    }
    if (outcome.kind === 'not-found') return rejectNotFound();
    const { secret, address } = outcome;
    return done({ secret, address });
  },
});

const confirmRoute = defineRoute({
  name: 'second-factor-confirm',
  method: 'POST',
  path: '/account/v1/second-factor/confirm',
  summary: 'Enable two-factor authentication',
  describe: 'Confirms a code of the authenticator app and returns recovery codes.',
  access: 'signed-in',
  needsRecentPassword: true,
  body: Type.Object({ code: Type.String() }),
  status: 200,
  response: recoveryCodesSchema,
  async handle(call) {
    const { deps, actor, body } = call;
    const options = { ...selfOf(call), code: body.code };
    const outcome = await confirmSecondFactor(deps, options, actor);
    if (outcome.kind === 'not-found')
      return reject('conflict', 'Set up two-factor authentication first.');
    if (outcome.kind === 'wrong-code') return rejectInvalid('code', WRONG_CODE);
    return done({ recoveryCodes: outcome.recoveryCodes });
  },
});

const removeRoute = defineRoute({
  name: 'second-factor-remove',
  method: 'POST',
  path: '/account/v1/second-factor/remove',
  summary: 'Disable two-factor authentication',
  describe: 'Requires a code of the authenticator app, or a recovery code.',
  access: 'signed-in',
  needsRecentPassword: true,
  body: Type.Object({ code: Type.String({ maxLength: 100 }) }),
  status: 204,
  response: null,
  async handle(call) {
    const { deps, actor, visitor, body } = call;
    const options = { ...selfOf(call), code: body.code, address: visitor.address };
    const outcome = await removeOwnSecondFactor(deps, options, actor);
    if (outcome.kind === 'too-many') return rejectTooMany(outcome);
    if (outcome.kind === 'not-found')
      return reject('conflict', 'Two-factor authentication is not enabled.');
    if (outcome.kind === 'wrong-code') return rejectInvalid('code', WRONG_CODE);
    return done();
  },
});

const recoveryCodesRoute = defineRoute({
  name: 'recovery-codes-regenerate',
  method: 'POST',
  path: '/account/v1/recovery-codes',
  summary: 'Regenerate recovery codes',
  describe: 'Invalidates all previous recovery codes.',
  access: 'signed-in',
  needsRecentPassword: true,
  status: 201,
  response: recoveryCodesSchema,
  async handle(call) {
    const outcome = await renewRecoveryCodes(call.deps, selfOf(call), call.actor);
    if (outcome.kind === 'not-found')
      return reject('conflict', 'Two-factor authentication is not enabled.');
    return done({ recoveryCodes: outcome.recoveryCodes });
  },
});

/** The signed-in person, in the membership that the session shows. */
function selfOf(call: Pick<Call, 'caller'>): PersonRef {
  const { id, customerId } = signedInPerson(call).person;
  return { personId: id, customerId };
}

export const group: RouteGroup = {
  name: 'security',
  describe: 'Your sessions, password and two-factor authentication.',
  routes: [
    sessionsRoute,
    revokeRoute,
    revokeAllRoute,
    passwordRoute,
    beginRoute,
    confirmRoute,
    removeRoute,
    recoveryCodesRoute,
  ],
};
