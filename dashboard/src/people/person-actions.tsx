import { type ReactNode, useState } from 'react';
import type { Person, OneTimeLink } from '../api/calls.gen.ts';
import { ActionsMenu } from '../ui/controls/actions-menu.tsx';
import { ConfirmDialog } from '../ui/controls/confirm-dialog.tsx';
import {
  type PeopleScope,
  useChangePerson,
  useRemovePerson,
  useRemoveSecondFactor,
  useResetPassword,
} from './people-calls.ts';
import { actionsFor, type PersonAction, confirmationFor } from './person-confirmations.ts';

/**
 * Offers the actions for another user, each with a confirmation. Users manage their own account on
 * the Security page.
 */
export function PersonActions(props: {
  person: Person;
  scope: PeopleScope;
  /** Called with a new link to share with the user. */
  onLink: (link: OneTimeLink) => void;
}): ReactNode {
  const { person, scope, onLink } = props;
  const [action, setAction] = useState<PersonAction>('disable');
  const [isConfirming, setIsConfirming] = useState(false);
  const change = useChangePerson(scope);
  const remove = useRemovePerson(scope);
  const reset = useResetPassword(scope);
  const disableTwoFactor = useRemoveSecondFactor(scope);
  const path = { personId: person.id };

  function run(): void {
    switch (action) {
      case 'disable':
      case 'enable':
        change.mutate({ path, body: { enabled: action === 'enable' } });
        break;
      case 'make-owner':
      case 'make-member':
        change.mutate({ path, body: { role: action === 'make-owner' ? 'owner' : 'member' } });
        break;
      case 'remove':
        remove.mutate({ path });
        break;
      case 'reset-password':
        reset.mutate({ path }, { onSuccess: onLink });
        break;
      case 'remove-second-factor':
        disableTwoFactor.mutate({ path });
    }
  }

  return (
    <>
      <ActionsMenu
        name={`Actions for ${person.email}`}
        actions={actionsFor(person, scope).map(({ action: name, label, isDanger = false }) => ({
          label,
          isDanger,
          onChoose() {
            setAction(name);
            setIsConfirming(true);
          },
        }))}
      />
      <ConfirmDialog
        isOpen={isConfirming}
        confirmation={confirmationFor(action, person)}
        onClose={() => setIsConfirming(false)}
        onConfirm={run}
      />
    </>
  );
}
