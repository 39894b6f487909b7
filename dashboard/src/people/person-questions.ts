import type { Person } from '../api/calls.gen.ts';
import type { Question } from '../ui/controls/confirm-dialog.tsx';
import type { PeopleScope } from './people-calls.ts';

export type PersonAct =
  | 'make-owner'
  | 'make-member'
  | 'reset-password'
  | 'remove-second-factor'
  | 'disable'
  | 'enable'
  | 'remove';

/** What is asked before an act, and what it will do. */
export function questionFor(act: PersonAct, { email }: Person): Question {
  switch (act) {
    case 'make-owner':
      return {
        title: `Make ${email} an owner?`,
        text: 'Owners invite and remove people, see webhook secrets and read the audit.',
        confirmLabel: 'Make an owner',
        isDanger: false,
      };
    case 'make-member':
      return {
        title: `Make ${email} a member?`,
        text: 'Members keep keys, usage, webhooks and deliveries. They no longer change people, see webhook secrets or read the audit; their open invitations end.',
        confirmLabel: 'Make a member',
      };
    case 'reset-password':
      return {
        title: `Make a link for ${email}?`,
        text: 'It is shown to you once, and you give it to them yourself: nothing is sent. Who opens it chooses a new password, which ends all their sessions. Until then the old one stays; a link made before opens nothing any more.',
        confirmLabel: 'Make the link',
        isDanger: false,
      };
    case 'remove-second-factor':
      return {
        title: `Ask ${email} for no code any more?`,
        text: 'For those who lost device and recovery codes. The password alone opens the door then, until they set the second factor up again.',
        confirmLabel: 'Remove the second factor',
      };
    case 'disable':
      return {
        title: `Disable ${email}?`,
        text: 'All their sessions end at once and they cannot sign in until they are enabled. Invitations they made end; keys go on.',
        confirmLabel: 'Disable',
      };
    case 'enable':
      return {
        title: `Enable ${email} again?`,
        text: 'They can sign in with the password they had.',
        confirmLabel: 'Enable',
        isDanger: false,
      };
    case 'remove':
      return {
        title: `Take ${email} out?`,
        text: 'For good: their sessions and invitations end, and the address is free for another invitation. What they did stays in the audit; keys go on.',
        confirmLabel: 'Take out',
      };
  }
}

/** The acts that fit a person as they are, as the menu names them. */
export function actsFor(
  { role, disabledAt, hasSecondFactor }: Person,
  scope: PeopleScope,
): { act: PersonAct; label: string; isDanger?: boolean }[] {
  return [
    ...(scope === 'service'
      ? []
      : [
          role === 'owner'
            ? ({ act: 'make-member', label: 'Make a member' } as const)
            : ({ act: 'make-owner', label: 'Make an owner' } as const),
        ]),
    { act: 'reset-password', label: 'Link for a new password' },
    ...(hasSecondFactor
      ? [{ act: 'remove-second-factor', label: 'Remove the second factor' } as const]
      : []),
    disabledAt === null
      ? { act: 'disable', label: 'Disable' }
      : { act: 'enable', label: 'Enable again' },
    { act: 'remove', label: 'Take out', isDanger: true },
  ];
}
