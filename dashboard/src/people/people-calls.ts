import { useAction } from '../api/use-action.ts';
import { CALM_MS, useCall } from '../api/use-call.ts';

/** The members of the current account, or the operators of the service. */
export type PeopleScope = 'account' | 'service';

const NAMES = {
  account: {
    list: 'people-list',
    access: 'people-access-read',
    change: 'people-update',
    remove: 'people-remove',
    endSessions: 'people-sessions-revoke',
    invitations: 'people-invitations-list',
    withdraw: 'people-invitations-revoke',
  },
  service: {
    list: 'operators-list',
    access: 'operators-access-read',
    change: 'operators-update',
    remove: 'operators-remove',
    endSessions: 'operators-sessions-revoke',
    invitations: 'operators-invitations-list',
    withdraw: 'operators-invitations-revoke',
  },
} as const;

export function usePeople(scope: PeopleScope) {
  return useCall(NAMES[scope].list, {}, { everyMs: CALM_MS });
}

/** Returns the API keys and webhook endpoints that a user created. */
export function usePersonAccess(scope: PeopleScope, personId: string) {
  return useCall(NAMES[scope].access, { path: { personId } }, { isKept: false });
}

export function useInvitations(scope: PeopleScope) {
  return useCall(NAMES[scope].invitations, {}, { everyMs: CALM_MS });
}

export function useWithdraw(scope: PeopleScope) {
  const { withdraw, invitations } = NAMES[scope];
  return useAction(withdraw, { refreshes: [invitations], successMessage: 'Invitation revoked' });
}

export function useChangePerson(scope: PeopleScope) {
  const { change, list, invitations } = NAMES[scope];
  return useAction(change, { refreshes: [list, invitations, 'keys-list'] });
}

export function useRemovePerson(scope: PeopleScope) {
  const { remove, list, invitations } = NAMES[scope];
  return useAction(remove, { refreshes: [list, invitations, 'keys-list'] });
}

export function useResetPassword() {
  return useAction('people-reset-password');
}

export function useRemoveSecondFactor(scope: PeopleScope) {
  return useAction('people-remove-second-factor', { refreshes: [NAMES[scope].list] });
}

export function useEndSessions(scope: PeopleScope) {
  return useAction(NAMES[scope].endSessions, { successMessage: 'Sessions ended' });
}
