import { type ReactNode, useState } from 'react';
import type { Person, OneTimeLink } from '../api/calls.gen.ts';
import { ActsMenu } from '../ui/controls/acts-menu.tsx';
import { ConfirmDialog } from '../ui/controls/confirm-dialog.tsx';
import {
  type PeopleScope,
  useChangePerson,
  useRemovePerson,
  useRemoveSecondFactor,
  useResetPassword,
} from './people-calls.ts';
import { actsFor, type PersonAct, questionFor } from './person-questions.ts';

/**
 * The actions on another user, each with a confirmation. Users manage themselves on the Security
 * page.
 */
export function PersonActs(props: {
  person: Person;
  scope: PeopleScope;
  /** Called with a link to share with the user. */
  onLink: (link: OneTimeLink) => void;
}): ReactNode {
  const { person, scope, onLink } = props;
  const [asked, setAsked] = useState<PersonAct>('disable');
  const [isAsking, setIsAsking] = useState(false);
  const change = useChangePerson(scope);
  const remove = useRemovePerson(scope);
  const reset = useResetPassword(scope);
  const unfactor = useRemoveSecondFactor(scope);
  const path = { personId: person.id };

  function act(): void {
    switch (asked) {
      case 'disable':
      case 'enable':
        change.mutate({ path, body: { enabled: asked === 'enable' } });
        break;
      case 'make-owner':
      case 'make-member':
        change.mutate({ path, body: { role: asked === 'make-owner' ? 'owner' : 'member' } });
        break;
      case 'remove':
        remove.mutate({ path });
        break;
      case 'reset-password':
        reset.mutate({ path }, { onSuccess: onLink });
        break;
      case 'remove-second-factor':
        unfactor.mutate({ path });
    }
  }

  return (
    <>
      <ActsMenu
        name={`Actions for ${person.email}`}
        acts={actsFor(person, scope).map(({ act: name, label, isDanger = false }) => ({
          label,
          isDanger,
          onChoose() {
            setAsked(name);
            setIsAsking(true);
          },
        }))}
      />
      <ConfirmDialog
        isOpen={isAsking}
        question={questionFor(asked, person)}
        onClose={() => setIsAsking(false)}
        onConfirm={act}
      />
    </>
  );
}
