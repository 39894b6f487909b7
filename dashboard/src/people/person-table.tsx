import { Group, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Person, OneTimeLink } from '../api/calls.gen.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { AnchorLink } from '../ui/controls/links.tsx';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import type { PeopleScope } from './people-calls.ts';
import { PersonActions } from './person-actions.tsx';

/** Lists users with their role, status, and sign-in methods. */
export function PersonTable(props: {
  people: readonly Person[];
  scope: PeopleScope;
  /** The ID of the signed-in user. */
  personId: string;
  canChange: boolean;
  onLink: (person: Person, link: OneTimeLink) => void;
}): ReactNode {
  const { people, scope, personId, canChange, onLink } = props;
  return (
    <DataTable
      caption={scope === 'service' ? 'Operators by email' : 'Members'}
      rows={people}
      keyOf={({ id }) => id}
      empty={<NoMembers />}
      columns={[
        {
          name: 'Email',
          render: ({ id, email }) => <Email email={email} isYou={id === personId} />,
        },
        ...(scope === 'service' ? [] : [{ name: 'Role', render: ({ role }: Person) => role }]),
        { name: 'Status', render: (person) => <PersonStatus person={person} /> },
        {
          name: 'Two-factor',
          isExtra: true,
          render: ({ hasSecondFactor }) => (
            <StatusBadge tone={hasSecondFactor ? 'good' : 'warn'}>
              {hasSecondFactor ? 'on' : 'off'}
            </StatusBadge>
          ),
        },
        {
          name: 'Joined',
          isExtra: true,
          render: ({ createdAt }) => <RelativeTime at={createdAt} />,
        },
        ...(canChange
          ? [
              {
                name: 'Actions',
                render: (person: Person) =>
                  person.id === personId ? (
                    <OwnSecurityLink />
                  ) : (
                    <PersonActions
                      person={person}
                      scope={scope}
                      onLink={(link) => onLink(person, link)}
                    />
                  ),
              },
            ]
          : []),
      ]}
    />
  );
}

function Email({ email, isYou }: { email: string; isYou: boolean }): ReactNode {
  return (
    <Group gap={8}>
      <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
        {email}
      </Text>
      {isYou && <StatusBadge tone="plain">you</StatusBadge>}
    </Group>
  );
}

function OwnSecurityLink(): ReactNode {
  return (
    <AnchorLink to="/security" size="sm">
      Security
    </AnchorLink>
  );
}

function PersonStatus({ person: { disabledAt, hasPassword } }: { person: Person }): ReactNode {
  if (disabledAt !== null) return <StatusBadge tone="bad">disabled</StatusBadge>;
  if (!hasPassword) return <StatusBadge tone="warn">no password yet</StatusBadge>;
  return <StatusBadge tone="good">active</StatusBadge>;
}

function NoMembers(): ReactNode {
  return (
    <EmptyState icon={<IconUsers size={24} />} title="No members yet">
      Members join by invitation. Create an invitation link and share it. Applications only need an
      API key.
    </EmptyState>
  );
}
