import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSession } from '../session/session.ts';
import { Mark } from '../ui/values/mark.tsx';
import { Moment } from '../ui/values/moment.tsx';
import { Panel } from '../ui/page/panel.tsx';

/** Who is signed in, as what, and for how long. */
export function WhoPanel(): ReactNode {
  const { email, role, customer, expiresAt } = useSession();
  return (
    <Panel title="You">
      <Group justify="space-between" gap="sm">
        <div>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
          <Text size="sm" c="dimmed" component="div">
            {customer === null ? 'You run this service' : `${role} of ${customer.name}`}. This
            session ends <Moment at={expiresAt} /> at the latest.
          </Text>
        </div>
        <Mark tone="plain">{role}</Mark>
      </Group>
    </Panel>
  );
}
