import { Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { OneTimeLink } from '../api/calls.gen.ts';
import { useSession } from '../session/session.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { InvitationTable } from './invitation-table.tsx';
import { InviteForm } from './invite-form.tsx';
import { type PeopleScope, useInvitations, usePeople } from './people-calls.ts';
import { PersonTable } from './person-table.tsx';
import { LinkNotice } from './link-notice.tsx';

/** Members or operators and their invitations, with all actions. */
export function PeoplePanels(props: { scope: PeopleScope; canChange: boolean }): ReactNode {
  const { scope, canChange } = props;
  const { personId } = useSession();
  const people = usePeople(scope);
  const invitations = useInvitations(scope);
  const [isInviting, setIsInviting] = useState(false);
  const [newLink, setNewLink] = useState<{ email: string; link: OneTimeLink } | null>(null);
  const invited = invitations.data ?? [];
  return (
    <>
      {newLink !== null && <LinkNotice {...newLink} onDone={() => setNewLink(null)} />}
      <Panel
        title={scope === 'service' ? 'Operators' : 'Members'}
        isFlush
        aside={
          canChange && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconUserPlus size={15} />}
              onClick={() => setIsInviting(true)}
            >
              Invite
            </Button>
          )
        }
      >
        <Loaded query={people}>
          {(rows) => (
            <PersonTable
              people={rows}
              {...{ scope, personId, canChange }}
              onLink={({ email }, link) => setNewLink({ email, link })}
            />
          )}
        </Loaded>
      </Panel>
      {invited.length > 0 && (
        <Panel title="Pending invitations" isFlush>
          <InvitationTable invitations={invited} {...{ scope, canChange }} />
        </Panel>
      )}
      <InviteForm
        scope={scope}
        isOpen={isInviting}
        onClose={() => setIsInviting(false)}
        firstRole={people.data?.length === 0 ? 'owner' : 'member'}
        onCreated={(email, link) => {
          setIsInviting(false);
          setNewLink({ email, link });
        }}
      />
    </>
  );
}
