import { Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Session } from '../api/calls.gen.ts';
import { useAction } from '../api/use-action.ts';
import { CALM_MS, useCall } from '../api/use-call.ts';
import { ConfirmButton } from '../ui/controls/confirm-button.tsx';
import { DataTable } from '../ui/tables/data-table.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { browserName } from './user-agent.ts';

/** Lists the user's active sessions. */
export function SessionsPanel(): ReactNode {
  const sessions = useCall('sessions-list', {}, { everyMs: CALM_MS });
  const client = useQueryClient();
  const navigate = useNavigate();
  const endAll = useAction('sessions-revoke-all', {
    onDone: () => {
      client.clear();
      void navigate({ to: '/sign-in' });
    },
  });
  return (
    <Panel
      title="Active sessions"
      isFlush
      aside={
        <ConfirmButton
          label="Sign out everywhere"
          aria-label="Sign out everywhere"
          title="Sign out everywhere?"
          text="All sessions end, including this one. You need to sign in again."
          confirmLabel="Sign out everywhere"
          onConfirm={() => endAll.mutate({})}
        />
      }
    >
      <Loaded query={sessions}>{(rows) => <SessionTable sessions={rows} />}</Loaded>
    </Panel>
  );
}

function SessionTable({ sessions }: { sessions: readonly Session[] }): ReactNode {
  const revoke = useAction('sessions-revoke', { refreshes: ['sessions-list'] });
  return (
    <DataTable
      caption="Active sessions, most recent first"
      rows={sessions}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Browser', render: (session) => <Browser session={session} /> },
        { name: 'IP address', isExtra: true, render: ({ address }) => address ?? '–' },
        { name: 'Last used', render: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} /> },
        {
          name: 'Signed in',
          isExtra: true,
          render: ({ createdAt }) => <RelativeTime at={createdAt} />,
        },
        {
          name: 'Expires',
          isExtra: true,
          render: ({ expiresAt }) => <RelativeTime at={expiresAt} />,
        },
        {
          name: 'Actions',
          render: (session) =>
            session.isThis ? null : (
              <ConfirmButton
                label="Revoke"
                aria-label={`Revoke session of ${browserName(session.userAgent)}`}
                title="Revoke session?"
                text="This browser is signed out with its next request."
                confirmLabel="Revoke"
                onConfirm={() => revoke.mutate({ path: { sessionId: session.id } })}
              />
            ),
        },
      ]}
    />
  );
}

function Browser({ session: { userAgent, address, isThis } }: { session: Session }): ReactNode {
  return (
    <Stack gap={2} align="flex-start">
      <Group gap={8}>
        <Text size="sm" fw={550}>
          {browserName(userAgent)}
        </Text>
        {isThis && <StatusBadge tone="good">current</StatusBadge>}
      </Group>
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        {address}
      </Text>
    </Stack>
  );
}
