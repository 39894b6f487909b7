import { Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Session } from '../api/calls.gen.ts';
import { useAct } from '../api/use-act.ts';
import { CALM_MS, useCall } from '../api/use-call.ts';
import { ConfirmButton } from '../ui/controls/confirm-button.tsx';
import { DataTable } from '../ui/tables/data-table.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { Mark } from '../ui/values/mark.tsx';
import { Moment } from '../ui/values/moment.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { sayUserAgent } from './user-agent.ts';

/** Where one is signed in, and the way to end it. */
export function SessionsPanel(): ReactNode {
  const sessions = useCall('sessions-list', {}, { everyMs: CALM_MS });
  const client = useQueryClient();
  const navigate = useNavigate();
  const end = useAct('sessions-revoke', { refreshes: ['sessions-list'] });
  const endAll = useAct('sessions-revoke-all', {
    onDone: () => {
      client.clear();
      void navigate({ to: '/sign-in' });
    },
  });
  return (
    <Panel
      title="Sessions"
      isFlush
      aside={
        <ConfirmButton
          label="End all"
          aria-label="End all sessions"
          title="End all sessions?"
          text="You are signed out everywhere, here too, and sign in again."
          confirmLabel="End all"
          onConfirm={() => endAll.mutate({})}
        />
      }
    >
      <Loaded query={sessions}>
        {(rows) => (
          <DataTable
            caption="Sessions, the latest used first"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { name: 'Browser', render: (session) => <Browser of={session} /> },
              { name: 'From', isExtra: true, render: ({ address }) => address ?? '–' },
              { name: 'Last used', render: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
              {
                name: 'Began',
                isExtra: true,
                render: ({ createdAt }) => <Moment at={createdAt} />,
              },
              { name: 'Ends', isExtra: true, render: ({ expiresAt }) => <Moment at={expiresAt} /> },
              {
                name: 'Acts',
                render: (session) =>
                  session.isThis ? null : (
                    <ConfirmButton
                      label="End"
                      aria-label={`End the session of ${sayUserAgent(session.userAgent)}`}
                      title="End this session?"
                      text="Whoever uses it is signed out with their next step."
                      confirmLabel="End it"
                      onConfirm={() => end.mutate({ path: { sessionId: session.id } })}
                    />
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}

function Browser({ of: { userAgent, address, isThis } }: { of: Session }): ReactNode {
  return (
    <Stack gap={2} align="flex-start">
      <Group gap={8}>
        <Text size="sm" fw={550}>
          {sayUserAgent(userAgent)}
        </Text>
        {isThis && <Mark tone="good">this one</Mark>}
      </Group>
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        {address}
      </Text>
    </Stack>
  );
}
