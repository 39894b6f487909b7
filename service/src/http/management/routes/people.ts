import { Type } from 'typebox';
import type { Role } from '../../../accounts/permissions.ts';
import type { OneTimeLink } from '../../../accounts/people/one-time-link-store.ts';
import {
  invite,
  listOpenInvitations,
  withdrawInvitation,
} from '../../../accounts/people/invitations.ts';
import { type ChangedPerson, changePerson, removePerson } from '../../../accounts/people/people.ts';
import { listPeople, type Person } from '../../../accounts/people/person-store.ts';
import {
  choice,
  flag,
  instant,
  list,
  named,
  nullable,
  text,
} from '../../../endpoints/schema/fields.ts';
import { formatInstant } from '../../../platform/instant.ts';
import { formatOptional } from '../instants.ts';
import { accessRoute, accessView, endSessionsRoute } from '../person-access-routes.ts';
import { personAccessSchema } from '../person-access-view.ts';
import { customerOf, isOperators, pathOf, type PeopleScope, personIds } from '../people-scope.ts';
import { commonRejection, reject, unexpectedOutcome } from '../refusals.ts';
import {
  type Call,
  defineRoute,
  done,
  type CallResult,
  type Route,
  type RouteGroup,
} from '../route.ts';
import { emailText } from '../described-text.ts';

export const ROLES = ['operator', 'owner', 'member'] as const;

const person = named('Person', {
  id: text('Person ID, `per_…`.'),
  email: text('Email address.'),
  role: choice(ROLES, 'Role of the person.'),
  hasPassword: flag('Whether the person has set a password.'),
  hasSecondFactor: flag('Whether two-factor authentication is enabled.'),
  createdAt: instant('Time the person joined.'),
  disabledAt: nullable(
    instant('Time the person was disabled in this account; null if they may open it.'),
  ),
});

const invitation = named('Invitation', {
  id: text('Invitation ID, `lnk_…`.'),
  email: text('Email address of the invited person.'),
  role: choice(ROLES, 'Role the person will have.'),
  createdAt: instant('Time of creation.'),
  expiresAt: instant('Expiration time.'),
});

export const oneTimeLink = named('OneTimeLink', {
  id: nullable(text('ID of an invitation, used to revoke it; null for a password reset.')),
  link: text('Single-use link for the person. It is shown only once.'),
  expiresAt: instant('Expiration time of the link.'),
});

const REVOKE_KEYS = Type.Optional(
  Type.Boolean({ description: 'Whether to revoke the API keys that the person created.' }),
);

export const group: RouteGroup = {
  name: 'people',
  describe: 'Owners and members of the account. Not available to management keys.',
  routes: peopleRoutes({
    name: 'people',
    basePath: '/account/v1',
    person: 'a person',
    permissions: { list: 'people.list', invite: 'people.invite', change: 'people.change' },
  }),
};

export function peopleRoutes(scope: PeopleScope): Route[] {
  return [
    listRoute(scope),
    accessRoute(scope),
    endSessionsRoute(scope),
    updateRoute(scope),
    removeRoute(scope),
    inviteRoute(scope),
    invitationsRoute(scope),
    revokeInvitationRoute(scope),
  ];
}

function listRoute(scope: PeopleScope): Route {
  return defineRoute({
    name: `${scope.name}-list`,
    method: 'GET',
    path: pathOf(scope),
    summary: `List ${scope.name}`,
    access: scope.permissions.list,
    status: 200,
    response: list(person, 'Ordered by email address.'),
    async handle(call) {
      const people = await listPeople(call.deps.db, customerOf(scope, call));
      return done(people.map(renderPerson));
    },
  });
}

function updateRoute(scope: PeopleScope): Route {
  return defineRoute({
    name: `${scope.name}-update`,
    method: 'PATCH',
    path: `${pathOf(scope)}/{personId}`,
    summary: `Update ${scope.person}`,
    describe:
      'Disabling a person ends their sessions in this account; other accounts stay open. The last enabled owner or operator cannot be ' +
      'disabled or demoted. The response lists the API keys and webhook endpoints that the person ' +
      'created. They keep working, unless `revokeKeys` revokes the keys.',
    access: scope.permissions.change,
    body: Type.Object({
      ...(isOperators(scope)
        ? {}
        : { role: Type.Optional(choice(['owner', 'member'], 'The new role.')) }),
      enabled: Type.Optional(Type.Boolean({ description: 'Whether the person may sign in.' })),
      revokeKeys: REVOKE_KEYS,
    }),
    status: 200,
    response: personAccessSchema,
    async handle(call) {
      const body = call.body as { role?: Role; enabled?: boolean; revokeKeys?: boolean };
      const { role, enabled, revokeKeys = false } = body;
      const change = {
        ...personIds(scope, call),
        ...(role === undefined ? {} : { role }),
        ...(enabled === undefined ? {} : { enabled }),
        revokeKeys,
      };
      return changeResult(scope, call, {
        outcome: await changePerson(call.deps, change, call.actor),
        revokeKeys,
      });
    },
  });
}

function removeRoute(scope: PeopleScope): Route {
  return defineRoute({
    name: `${scope.name}-remove`,
    method: 'DELETE',
    path: `${pathOf(scope)}/{personId}`,
    summary: `Remove ${scope.person}`,
    describe:
      'Ends their sessions in this account. Their other accounts stay. The response lists the API ' +
      'keys and webhook endpoints that the person created. They keep working, unless ' +
      '`revokeKeys` revokes the keys.',
    access: scope.permissions.change,
    query: Type.Object({ revokeKeys: REVOKE_KEYS }),
    status: 200,
    response: personAccessSchema,
    async handle(call) {
      const { revokeKeys = false } = call.query;
      const removal = { ...personIds(scope, call), revokeKeys };
      return changeResult(scope, call, {
        outcome: await removePerson(call.deps, removal, call.actor),
        revokeKeys,
      });
    },
  });
}

function inviteRoute(scope: PeopleScope): Route {
  const roles: readonly Role[] = isOperators(scope) ? ['operator'] : ['owner', 'member'];
  return defineRoute({
    name: `${scope.name}-invite`,
    method: 'POST',
    path: `${scope.basePath}/invitations`,
    summary: `Invite ${scope.person}`,
    describe:
      'No email is sent: pass the link on yourself. It is in this response only. The person accepts ' +
      'it by signing in or, without an account, by choosing a password. The response does not tell ' +
      'whether they have one.',
    access: scope.permissions.invite,
    body: Type.Object({
      email: emailText('Email address of the invited person.'),
      ...(isOperators(scope) ? {} : { role: choice(roles, 'Role the person will have.') }),
    }),
    status: 201,
    response: oneTimeLink,
    async handle(call) {
      const { email, role = 'operator' } = call.body as { email: string; role?: Role };
      const invited = { customerId: customerOf(scope, call), email, role };
      const outcome = await invite(call.deps, invited, call.actor);
      if (outcome.kind !== 'invited') return commonRejection(outcome) ?? unexpectedOutcome(outcome);
      const { id, token, expiresAt } = outcome;
      const link = linkTo(call, 'invitation', token);
      return done({ id, link, expiresAt: formatInstant(expiresAt) });
    },
  });
}

function invitationsRoute(scope: PeopleScope): Route {
  return defineRoute({
    name: `${scope.name}-invitations-list`,
    method: 'GET',
    path: `${scope.basePath}/invitations`,
    summary: 'List pending invitations',
    access: scope.permissions.list,
    status: 200,
    response: list(invitation, 'Newest first.'),
    async handle(call) {
      const invitations = await listOpenInvitations(call.deps, customerOf(scope, call));
      return done(invitations.map(renderInvitation));
    },
  });
}

function revokeInvitationRoute(scope: PeopleScope): Route {
  return defineRoute({
    name: `${scope.name}-invitations-revoke`,
    method: 'DELETE',
    path: `${scope.basePath}/invitations/{invitationId}`,
    summary: 'Revoke an invitation',
    access: scope.permissions.invite,
    status: 204,
    response: null,
    async handle(call) {
      const ids = { customerId: customerOf(scope, call), id: call.param('invitationId') };
      const outcome = await withdrawInvitation(call.deps, ids, call.actor);
      return commonRejection(outcome) ?? done();
    },
  });
}

/**
 * Returns a link with the token in its fragment. Browsers never send the fragment, so the token
 * does not appear in any log or `Referer` header.
 */
export function linkTo(
  { deps }: Pick<Call, 'deps'>,
  page: 'invitation' | 'password-reset',
  token: string,
): string {
  return `${deps.publicUrl}/dashboard/${page}#${token}`;
}

/** Returns the access that remains after a change, or the reason why nothing changed. */
async function changeResult(
  scope: PeopleScope,
  call: Call,
  { outcome, revokeKeys }: { outcome: ChangedPerson; revokeKeys: boolean },
): Promise<CallResult> {
  if (outcome.kind !== 'changed') return rejectChange(outcome);
  if (revokeKeys) await call.deps.refreshKeys();
  return done(await accessView(scope, call, { keys: outcome.keys, areRevoked: revokeKeys }));
}

function rejectChange(outcome: Exclude<ChangedPerson, { kind: 'changed' }>): CallResult {
  if (outcome.kind !== 'last-one') return commonRejection(outcome) ?? unexpectedOutcome(outcome);
  return reject(
    'conflict',
    'At least one enabled owner or operator must remain. Add another one first.',
  );
}

function renderPerson(record: Person): object {
  const { id, email, role, hasPassword, hasSecondFactor } = record;
  return {
    id,
    email,
    role,
    hasPassword,
    hasSecondFactor,
    createdAt: formatInstant(record.createdAt),
    disabledAt: formatOptional(record.disabledAt),
  };
}

function renderInvitation({ id, email, role, createdAt, expiresAt }: OneTimeLink): object {
  return {
    id,
    email,
    role,
    createdAt: formatInstant(createdAt),
    expiresAt: formatInstant(expiresAt),
  };
}
