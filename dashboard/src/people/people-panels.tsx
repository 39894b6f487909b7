import { Button, Alert, Group, Stack, Text } from '@mantine/core';
import { IconUserPlus, IconLink } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { OneTimeLink } from '../api/calls.gen.ts';
import { useSession } from '../session/session.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { InvitationTable } from './invitation-table.tsx';
import { InviteForm } from './invite-form.tsx';
import { type PeopleScope, useInvitations, usePeople } from './people-calls.ts';
import { PersonTable } from './person-table.tsx';
import { CopyText } from '../ui/controls/copy-text.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';

/** Lists the members or operators and their invitations, with all actions. */
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

/** Shows a newly created link, which can't be shown again. */
function LinkNotice(props: { email: string; link: OneTimeLink; onDone: () => void }): ReactNode {
  const { email, link, onDone } = props;
  return (
    <Alert
      variant="light"
      icon={<IconLink />}
      title={`Share this link with ${email}`}
      role="status"
    >
      <Stack gap="sm">
        <Text size="sm">
          No email is sent. The link can be used once, expires <RelativeTime at={link.expiresAt} />{' '}
          and is shown only now. Anyone with the link can use it, so share it through a private
          channel.
        </Text>
        <CopyText text={link.link} what="link" />
        <Group>
          <Button size="xs" onClick={onDone}>
            Done
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
