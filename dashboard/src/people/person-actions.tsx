import { type ReactNode, useState } from 'react';
import type { Person, OneTimeLink } from '../api/calls.gen.ts';
import { useSession } from '../session/session.ts';
import { ActionsMenu } from '../ui/controls/actions-menu.tsx';
import { ConfirmDialog } from '../ui/controls/confirm-dialog.tsx';
import {
  type PeopleScope,
  useChangePerson,
  useEndSessions,
  useRemovePerson,
  useRemoveSecondFactor,
  useResetPassword,
} from './people-calls.ts';
import { withAccess } from './person-access.tsx';
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
  const isOperator = useSession().role === 'operator';
  const [action, setAction] = useState<PersonAction>('disable');
  const [isConfirming, setIsConfirming] = useState(false);
  const [revokeKeys, setRevokeKeys] = useState(true);
  const run = usePersonAction(person, scope, onLink);
  const access = { personId: person.id, scope, revokeKeys, onChange: setRevokeKeys };
  const confirmation = withAccess(action, confirmationFor(action, person), access);

  return (
    <>
      <ActionsMenu
        name={`Actions for ${person.email}`}
        actions={actionsFor(person, scope, isOperator).map(({ action: name, ...item }) => ({
          ...item,
          onChoose() {
            setAction(name);
            setRevokeKeys(true);
            setIsConfirming(true);
          },
        }))}
      />
      <ConfirmDialog
        isOpen={isConfirming}
        confirmation={confirmation}
        onClose={() => setIsConfirming(false)}
        onConfirm={() => run(action, revokeKeys)}
      />
    </>
  );
}

/** Returns a function that performs an action on a user. */
function usePersonAction(
  person: Person,
  scope: PeopleScope,
  onLink: (link: OneTimeLink) => void,
): (action: PersonAction, revokeKeys: boolean) => void {
  const change = useChangePerson(scope);
  const remove = useRemovePerson(scope);
  const reset = useResetPassword();
  const disableTwoFactor = useRemoveSecondFactor(scope);
  const endSessions = useEndSessions(scope);
  const path = { personId: person.id };
  return (action, revokeKeys) => {
    switch (action) {
      case 'disable':
      case 'enable':
      case 'make-owner':
      case 'make-member':
        change.mutate({ path, body: changeFor(action, revokeKeys) });
        break;
      case 'remove':
        remove.mutate({ path, query: { revokeKeys } });
        break;
      case 'reset-password':
        reset.mutate({ path }, { onSuccess: onLink });
        break;
      case 'end-sessions':
        endSessions.mutate({ path });
        break;
      case 'remove-second-factor':
        disableTwoFactor.mutate({ path });
    }
  };
}

function changeFor(
  action: 'disable' | 'enable' | 'make-owner' | 'make-member',
  revokeKeys: boolean,
): { enabled: boolean; revokeKeys?: boolean } | { role: 'owner' | 'member' } {
  switch (action) {
    case 'disable':
      return { enabled: false, revokeKeys };
    case 'enable':
      return { enabled: true };
    case 'make-owner':
    case 'make-member':
      return { role: action === 'make-owner' ? 'owner' : 'member' };
  }
}
