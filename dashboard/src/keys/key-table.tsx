import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Key } from '../api/calls.gen.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { LongText } from '../ui/values/long-text.tsx';
import { StatusBadge, type Tone } from '../ui/values/status-badge.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { useNow } from '../ui/values/use-now.ts';
import { KeyActions } from './key-actions.tsx';

/** Lists all API keys of the account, active ones first. */
export function KeyTable(props: {
  keys: readonly Key[];
  onCreate: () => void;
  onRolled: (key: string) => void;
}): ReactNode {
  const { keys, onCreate, onRolled } = props;
  const now = useNow();
  return (
    <DataTable
      caption="API keys"
      rows={keys}
      keyOf={({ id }) => id}
      empty={<NoKeys onCreate={onCreate} />}
      columns={[
        { name: 'Name', render: (key) => <KeyName apiKey={key} /> },
        {
          name: 'Status',
          render: (key) => {
            const { tone, text } = keyStatus(key, now);
            return <StatusBadge tone={tone}>{text}</StatusBadge>;
          },
        },
        { name: 'Scopes', render: ({ scopes }) => scopes.join(', '), isExtra: true },
        {
          name: 'Allowed IPs',
          isExtra: true,
          render: ({ allowedCidrs }) => allowedCidrs?.join(', ') ?? 'any',
        },
        {
          name: 'Created by',
          isExtra: true,
          render: ({ createdBy }) => <LongText>{createdBy?.label ?? '–'}</LongText>,
        },
        { name: 'Last used', render: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} /> },
        {
          name: 'Expires',
          isExtra: true,
          render: ({ expiresAt }) => <RelativeTime at={expiresAt} placeholder="–" />,
        },
        { name: 'Actions', render: (key) => <KeyActions apiKey={key} onRolled={onRolled} /> },
      ]}
    />
  );
}

function KeyName({ apiKey }: { apiKey: Key }): ReactNode {
  return (
    <Stack gap={2} miw={130} maw={320} style={{ overflowWrap: 'anywhere' }}>
      <Text size="sm" fw={550}>
        {apiKey.name === '' ? 'Unnamed' : apiKey.name}
      </Text>
      <Group gap={4}>
        <Code fz="xs">
          {apiKey.prefix}…{apiKey.last4}
        </Code>
      </Group>
    </Stack>
  );
}

function NoKeys({ onCreate }: { onCreate: () => void }): ReactNode {
  return (
    <EmptyState
      icon={<IconKey size={24} />}
      title="No API keys yet"
      action={
        <Button size="sm" mt="sm" onClick={onCreate}>
          Create key
        </Button>
      }
    >
      You need an API key for requests to the read endpoints. Send it in the X-Api-Key header. A key
      is shown only once, when you create it.
    </EmptyState>
  );
}

const UNUSED_MS = 30 * 86_400_000;

const STATES: Readonly<Record<Key['state'], { tone: Tone; text: string }>> = {
  active: { tone: 'good', text: 'active' },
  disabled: { tone: 'warn', text: 'disabled' },
  suspended: { tone: 'bad', text: 'suspended' },
  expired: { tone: 'plain', text: 'expired' },
  revoked: { tone: 'plain', text: 'revoked' },
};

/** Returns the status of a key. Active keys that weren't used for 30 days are flagged. */
function keyStatus(key: Key, now: number): { tone: Tone; text: string } {
  if (key.state === 'active' && isUnused(key, now)) {
    return { tone: 'warn', text: 'unused for 30 days' };
  }
  return STATES[key.state];
}

function isUnused({ lastUsedAt, createdAt }: Key, now: number): boolean {
  return now - Date.parse(lastUsedAt ?? createdAt) > UNUSED_MS;
}
