import { Type } from 'typebox';
import type { Act, Role } from '../../accounts/permissions.ts';
import type { OneTimeLink } from '../../accounts/people/one-time-link-store.ts';
import { invite, openInvitations, withdrawInvitation } from '../../accounts/people/invitations.ts';
import { makePasswordReset } from '../../accounts/people/password-reset.ts';
import { type ChangedPerson, changePerson, removePerson } from '../../accounts/people/people.ts';
import { findPerson, listPeople, type Person } from '../../accounts/people/person-store.ts';
import { removeSecondFactor } from '../../accounts/second-factor/second-factor.ts';
import {
  choice,
  flag,
  instant,
  list,
  named,
  nullable,
  text,
} from '../../endpoints/schema/fields.ts';
import { formatInstant } from '../../platform/instant.ts';
import { formatOptional } from './instants.ts';
import { linkTo } from './links.ts';
import { commonRejection, reject, rejectNotFound, unexpectedOutcome } from './refusals.ts';
import { type Call, defineRoute, done, type CallResult, type Route } from './route.ts';

export const ROLES = ['operator', 'owner', 'member'] as const;

const person = named('Person', {
  id: text('Id, `per_…`.'),
  email: text('E-mail address.'),
  role: choice(ROLES, 'What they may do.'),
  hasPassword: flag('False until they have chosen one.'),
  hasSecondFactor: flag('Whether a code is asked of them.'),
  createdAt: instant('When they came.'),
  disabledAt: nullable(instant('Since when they may not sign in.')),
});

const invitation = named('Invitation', {
  id: text('Id, `lnk_…`.'),
  email: text('Who is invited.'),
  role: choice(ROLES, 'What they will be.'),
  createdAt: instant('When it was made.'),
  expiresAt: instant('When it ends.'),
});

const sentLink = named('OneTimeLink', {
  id: nullable(text('Of an invitation, to withdraw it.')),
  link: text('To be given to the person; it opens once, and is shown this once.'),
  expiresAt: instant('When it ends.'),
});

/** Where the people of something are: of a customer, or those who run the service. */
export interface PeopleOf {
  /** Begins the names of the calls. */
  name: 'people' | 'operators';
  /** Such as `/account/v1`. */
  base: string;
  what: string;
  acts: { list: Act; invite: Act; change: Act };
}

/** The calls about people, alike for customers and for operators. */
export function peopleRoutes(of: PeopleOf): Route[] {
  return [...personRoutes(of), ...credentialRoutes(of), ...invitationRoutes(of)];
}

/** Who there is, and what becomes of them. */
function personRoutes(of: PeopleOf): Route[] {
  const path = pathOf(of);

  const listRoute = defineRoute({
    name: `${of.name}-list`,
    method: 'GET',
    path,
    summary: `The ${of.what}`,
    access: of.acts.list,
    status: 200,
    response: list(person, 'By e-mail address.'),
    async handle(call) {
      const people = await listPeople(call.deps.db, customerOf(of, call));
      return done(people.map(renderPerson));
    },
  });

  const changeRoute = defineRoute({
    name: `${of.name}-update`,
    method: 'PATCH',
    path: `${path}/{personId}`,
    summary: isOfService(of) ? 'Disable or enable an operator' : 'Change a role, disable or enable',
    describe: 'Who is disabled loses all sessions at once. The last one who can run things stays.',
    access: of.acts.change,
    body: Type.Object({
      ...(isOfService(of)
        ? {}
        : { role: Type.Optional(choice(['owner', 'member'], 'The new role.')) }),
      enabled: Type.Optional(Type.Boolean()),
    }),
    status: 204,
    response: null,
    async handle(call) {
      const { deps, actor: by } = call;
      const { role, enabled } = call.body as {
        role?: Role;
        enabled?: boolean;
      };
      const change = {
        ...personOf(of, call),
        ...(role === undefined ? {} : { role }),
        ...(enabled === undefined ? {} : { enabled }),
      };
      const outcome = await changePerson(deps, change, by);
      return outcome.kind === 'changed' ? done() : refusedChange(outcome);
    },
  });

  const removeRoute = defineRoute({
    name: `${of.name}-remove`,
    method: 'DELETE',
    path: `${path}/{personId}`,
    summary: 'Take a person out',
    describe: 'With their sessions; the address is free again.',
    access: of.acts.change,
    status: 204,
    response: null,
    async handle(call) {
      const outcome = await removePerson(call.deps, personOf(of, call), call.actor);
      return outcome.kind === 'changed' ? done() : refusedChange(outcome);
    },
  });

  return [listRoute, changeRoute, removeRoute];
}

/** What somebody signs in with, when they have lost it. */
function credentialRoutes(of: PeopleOf): Route[] {
  const path = pathOf(of);

  const resetRoute = defineRoute({
    name: `${of.name}-reset-password`,
    method: 'POST',
    path: `${path}/{personId}/password-reset`,
    summary: 'Make a link with which a person chooses a new password',
    describe: 'Until it is used the old password stays; a link made before opens nothing any more.',
    access: of.acts.change,
    needsRecentPassword: true,
    status: 201,
    response: sentLink,
    async handle(call) {
      if (!(await isThere(call, personOf(of, call)))) return rejectNotFound();
      const outcome = await makePasswordReset(call.deps, call.param('personId'), call.actor);
      if (outcome.kind !== 'made') return rejectNotFound();
      const link = linkTo(call.deps, 'password-reset', outcome.token);
      return done({
        id: null,
        link,
        expiresAt: formatInstant(outcome.expiresAt),
      });
    },
  });

  const secondFactorRoute = defineRoute({
    name: `${of.name}-remove-second-factor`,
    method: 'DELETE',
    path: `${path}/{personId}/second-factor`,
    summary: 'Ask a person for no code any more',
    describe: 'For one who has lost device and recovery codes.',
    access: of.acts.change,
    needsRecentPassword: true,
    status: 204,
    response: null,
    async handle(call) {
      if (!(await isThere(call, personOf(of, call)))) return rejectNotFound();
      await removeSecondFactor(call.deps, call.param('personId'), call.actor);
      return done();
    },
  });

  return [resetRoute, secondFactorRoute];
}

/** How people come. */
function invitationRoutes(of: PeopleOf): Route[] {
  const path = `${of.base}/invitations`;
  const roles: readonly Role[] = isOfService(of) ? ['operator'] : ['owner', 'member'];

  const inviteRoute = defineRoute({
    name: `${of.name}-invite`,
    method: 'POST',
    path,
    summary: 'Invite somebody',
    describe: 'Nothing is sent: give the link to the person yourself. It is in this answer alone.',
    access: of.acts.invite,
    body: Type.Object({
      email: Type.String({ maxLength: 254 }),
      ...(isOfService(of) ? {} : { role: choice(roles, 'What they will be.') }),
    }),
    status: 201,
    response: sentLink,
    async handle(call) {
      const { email, role = 'operator' } = call.body as {
        email: string;
        role?: Role;
      };
      const wanted = {
        customerId: customerOf(of, call),
        email,
        role,
      };
      const outcome = await invite(call.deps, wanted, call.actor);
      if (outcome.kind !== 'invited') return commonRejection(outcome) ?? unexpectedOutcome(outcome);
      const { id, token, expiresAt } = outcome;
      const link = linkTo(call.deps, 'invitation', token);
      return done({
        id,
        link,
        expiresAt: formatInstant(expiresAt),
      });
    },
  });

  const invitationsRoute = defineRoute({
    name: `${of.name}-invitations-list`,
    method: 'GET',
    path,
    summary: 'Invitations that still open',
    access: of.acts.list,
    status: 200,
    response: list(invitation, 'Newest first.'),
    async handle(call) {
      return done((await openInvitations(call.deps, customerOf(of, call))).map(renderInvitation));
    },
  });

  const withdrawRoute = defineRoute({
    name: `${of.name}-invitations-revoke`,
    method: 'DELETE',
    path: `${path}/{invitationId}`,
    summary: 'Withdraw an invitation',
    access: of.acts.invite,
    status: 204,
    response: null,
    async handle(call) {
      const options = {
        customerId: customerOf(of, call),
        id: call.param('invitationId'),
      };
      const outcome = await withdrawInvitation(call.deps, options, call.actor);
      return commonRejection(outcome) ?? done();
    },
  });

  return [inviteRoute, invitationsRoute, withdrawRoute];
}

function isOfService({ name }: PeopleOf): boolean {
  return name === 'operators';
}

function pathOf(of: PeopleOf): string {
  return `${of.base}/${of.name}`;
}

/** Null: the service's own. */
function customerOf(of: PeopleOf, call: Call): string | null {
  return isOfService(of) ? null : call.customerId;
}

function personOf(of: PeopleOf, call: Call): { customerId: string | null; personId: string } {
  return { customerId: customerOf(of, call), personId: call.param('personId') };
}

async function isThere(
  { deps }: Call,
  { customerId, personId }: { customerId: string | null; personId: string },
): Promise<boolean> {
  const found = await findPerson(deps.db, personId);
  return found !== null && found.customerId === customerId;
}

function refusedChange(outcome: Exclude<ChangedPerson, { kind: 'changed' }>): CallResult {
  if (outcome.kind !== 'last-one') return commonRejection(outcome) ?? unexpectedOutcome(outcome);
  return reject('conflict', 'This is the last one who can run things: make another one first.');
}

function renderPerson(who: Person): object {
  const { id, email, role, hasPassword, hasSecondFactor } = who;
  return {
    id,
    email,
    role,
    hasPassword,
    hasSecondFactor,
    createdAt: formatInstant(who.createdAt),
    disabledAt: formatOptional(who.disabledAt),
  };
}

function renderInvitation(link: OneTimeLink): object {
  const { id, email, role } = link;
  return {
    id,
    email,
    role,
    createdAt: formatInstant(link.createdAt),
    expiresAt: formatInstant(link.expiresAt),
  };
}
