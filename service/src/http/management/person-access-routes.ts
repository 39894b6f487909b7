import { type KeyRecord, listKeysOfPerson } from '../../accounts/keys/key-store.ts';
import { endAllSessions } from '../../accounts/sessions/sessions.ts';
import { listEndpointsOfPerson } from '../../webhooks/endpoint/webhook-endpoint.ts';
import { pathOf, type PeopleScope, personExists, personIds } from './people-scope.ts';
import { personAccessSchema, personAccessView } from './person-access-view.ts';
import { commonRejection, rejectNotFound } from './refusals.ts';
import { type Call, defineRoute, done, type Route } from './route.ts';

export function accessRoute(scope: PeopleScope): Route {
  return defineRoute({
    name: `${scope.name}-access-read`,
    method: 'GET',
    path: `${pathOf(scope)}/{personId}/access`,
    summary: `List the API keys and webhook endpoints of ${scope.person}`,
    describe: 'They stay when the person is disabled or removed, unless you revoke them.',
    access: scope.permissions.list,
    status: 200,
    response: personAccessSchema,
    async handle(call) {
      if (!(await personExists(scope, call))) return rejectNotFound();
      const { deps, now } = call;
      const keys = await listKeysOfPerson(deps.db, personIds(scope, call), now);
      return done(await accessView(scope, call, { keys, areRevoked: false }));
    },
  });
}

export function endSessionsRoute(scope: PeopleScope): Route {
  return defineRoute({
    name: `${scope.name}-sessions-revoke`,
    method: 'DELETE',
    path: `${pathOf(scope)}/{personId}/sessions`,
    summary: `End all sessions of ${scope.person}`,
    describe: 'Also those that show another account of theirs. The person can sign in again.',
    access: scope.permissions.change,
    status: 204,
    response: null,
    async handle(call) {
      const outcome = await endAllSessions(call.deps, personIds(scope, call), call.actor);
      return commonRejection(outcome) ?? done();
    },
  });
}

export async function accessView(
  scope: PeopleScope,
  call: Call,
  { keys, areRevoked }: { keys: readonly KeyRecord[]; areRevoked: boolean },
) {
  const endpoints = await listEndpointsOfPerson(call.deps.db, personIds(scope, call));
  return personAccessView(keys, endpoints, areRevoked);
}
