import { Group, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Person, OneTimeLink } from '../api/calls.gen.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { AnchorLink } from '../ui/controls/links.tsx';
import { Mark } from '../ui/values/mark.tsx';
import { Moment } from '../ui/values/moment.tsx';
import type { PeopleScope } from './people-calls.ts';
import { PersonActs } from './person-acts.tsx';

/** People with how they sign in. */
export function PersonTable(props: {
  people: readonly Person[];
  scope: PeopleScope;
  /** Who is signed in. */
  personId: string;
  canChange: boolean;
  onLink: (person: Person, link: OneTimeLink) => void;
}): ReactNode {
  const { people, scope, personId, canChange, onLink } = props;
  return (
    <DataTable
      caption={scope === 'service' ? 'Operators by address' : 'People of the account'}
      rows={people}
      keyOf={({ id }) => id}
      empty={<Nobody />}
      columns={[
        {
          name: 'Person',
          render: ({ id, email }) => (
            <Group gap={8}>
              <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
                {email}
              </Text>
              {id === personId && <Mark tone="plain">you</Mark>}
            </Group>
          ),
        },
        ...(scope === 'service' ? [] : [{ name: 'Role', render: ({ role }: Person) => role }]),
        { name: 'State', render: (person) => <Standing of={person} /> },
        {
          name: 'Second factor',
          isExtra: true,
          render: ({ hasSecondFactor }) => (
            <Mark tone={hasSecondFactor ? 'good' : 'warn'}>{hasSecondFactor ? 'on' : 'off'}</Mark>
          ),
        },
        { name: 'Came', isExtra: true, render: ({ createdAt }) => <Moment at={createdAt} /> },
        ...(canChange
          ? [
              {
                name: 'Acts',
                render: (person: Person) =>
                  person.id === personId ? (
                    <AnchorLink to="/security" size="sm">
                      Your security
                    </AnchorLink>
                  ) : (
                    <PersonActs of={person} scope={scope} onLink={(link) => onLink(person, link)} />
                  ),
              },
            ]
          : []),
      ]}
    />
  );
}

function Standing({ of: { disabledAt, hasPassword } }: { of: Person }): ReactNode {
  if (disabledAt !== null) return <Mark tone="bad">disabled</Mark>;
  if (!hasPassword) return <Mark tone="warn">no password yet</Mark>;
  return <Mark tone="good">active</Mark>;
}

function Nobody(): ReactNode {
  return (
    <EmptyState icon={<IconUsers size={24} />} title="Nobody is here yet">
      People come by invitation: make a link for an address and give it to them. Programs need no
      person, only a key.
    </EmptyState>
  );
}
