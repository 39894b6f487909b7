import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSession } from '../session/session.ts';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { Panel } from '../ui/page/panel.tsx';

/** Shows the signed-in user with their role and session expiry. */
export function ProfilePanel(): ReactNode {
  const { email, role, customer, expiresAt } = useSession();
  return (
    <Panel title="Profile">
      <Group justify="space-between" gap="sm">
        <div>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
          <Text size="sm" c="dimmed" component="div">
            {customer === null ? 'Operator of this service' : `Account: ${customer.name}`}. This
            session expires <RelativeTime at={expiresAt} />.
          </Text>
        </div>
        <StatusBadge tone="plain">{role}</StatusBadge>
      </Group>
    </Panel>
  );
}
