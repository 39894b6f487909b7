import type { Person } from '../api/calls.gen.ts';
import type { Confirmation } from '../ui/controls/confirm-dialog.tsx';
import type { PeopleScope } from './people-calls.ts';

export type PersonAction =
  | 'make-owner'
  | 'make-member'
  | 'reset-password'
  | 'remove-second-factor'
  | 'end-sessions'
  | 'disable'
  | 'enable'
  | 'remove';

/** Returns the text of the confirmation dialog for an action. */
export function confirmationFor(action: PersonAction, { email }: Person): Confirmation {
  switch (action) {
    case 'make-owner':
      return {
        title: `Make ${email} an owner?`,
        text: 'Owners can invite and remove members, view webhook secrets and read the audit log.',
        confirmLabel: 'Make owner',
        isDanger: false,
      };
    case 'make-member':
      return {
        title: `Make ${email} a member?`,
        text: 'Members can use API keys, usage, webhooks and deliveries. They can’t manage members, view webhook secrets or read the audit log. Their pending invitations are revoked.',
        confirmLabel: 'Make member',
      };
    case 'reset-password':
      return {
        title: `Create a password reset link for ${email}?`,
        text: 'The link is shown once for you to share; no email is sent. Setting a new password with it ends all of the user’s sessions. The old password works until then, and earlier links stop working.',
        confirmLabel: 'Create link',
        isDanger: false,
      };
    case 'remove-second-factor':
      return {
        title: `Disable two-factor authentication for ${email}?`,
        text: 'Use this if the user has lost their device and recovery codes. They can sign in with their password only, until they set it up again.',
        confirmLabel: 'Disable two-factor',
      };
    case 'end-sessions':
      return {
        title: `End all sessions of ${email}?`,
        text: 'The user is signed out everywhere and can sign in again. Use this if a device was lost.',
        confirmLabel: 'End sessions',
      };
    case 'disable':
      return {
        title: `Disable ${email}?`,
        text: 'The user can’t open this account until you enable them. Invitations they created are revoked.',
        confirmLabel: 'Disable',
      };
    case 'enable':
      return {
        title: `Enable ${email}?`,
        text: 'The user can open this account again, with their previous password.',
        confirmLabel: 'Enable',
        isDanger: false,
      };
    case 'remove':
      return {
        title: `Remove ${email}?`,
        text: 'The user can’t open this account any more, and invitations they created are revoked. You can invite them again. The audit log is kept.',
        confirmLabel: 'Remove',
      };
  }
}

/**
 * Returns the actions available for a user, with their menu labels. Only operators help a user to sign
 * in, because that opens all of the user’s accounts.
 */
export function actionsFor(
  { role, disabledAt, hasSecondFactor }: Person,
  scope: PeopleScope,
  isOperator: boolean,
): { action: PersonAction; label: string; isDanger?: boolean }[] {
  return [
    ...(scope === 'service'
      ? []
      : [
          role === 'owner'
            ? ({ action: 'make-member', label: 'Make member' } as const)
            : ({ action: 'make-owner', label: 'Make owner' } as const),
        ]),
    ...(isOperator ? [{ action: 'reset-password', label: 'Reset password' } as const] : []),
    ...(isOperator && hasSecondFactor
      ? [{ action: 'remove-second-factor', label: 'Disable two-factor authentication' } as const]
      : []),
    { action: 'end-sessions', label: 'End sessions' },
    disabledAt === null
      ? { action: 'disable', label: 'Disable' }
      : { action: 'enable', label: 'Enable' },
    { action: 'remove', label: 'Remove', isDanger: true },
  ];
}
