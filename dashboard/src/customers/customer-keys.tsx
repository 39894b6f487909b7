import { Button, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Key } from '../api/calls.gen.ts';
import { CALM_MS, useCall } from '../api/use-call.ts';
import { formatCount } from '../format/number.ts';
import { KeyForm } from '../keys/key-form.tsx';
import { NewKey } from '../keys/new-key.tsx';
import { useCustomerId } from '../session/customer.ts';
import { DetailList } from '../ui/values/detail-list.tsx';
import { StrongLink } from '../ui/controls/links.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { Panel } from '../ui/page/panel.tsx';

/** Summarizes the customer's API keys. */
export function CustomerKeys(): ReactNode {
  const customer = useCustomerId() ?? '';
  const keys = useCall('keys-list', {}, { everyMs: CALM_MS });
  const [isCreating, setIsCreating] = useState(false);
  const [newKey, setNewKey] = useState<string | null>(null);
  return (
    <Panel
      title="API keys"
      aside={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={15} />}
          onClick={() => setIsCreating(true)}
        >
          New key
        </Button>
      }
    >
      <Stack gap="md">
        {newKey !== null && <NewKey text={newKey} onDone={() => setNewKey(null)} />}
        <Loaded query={keys} height={80}>
          {(rows) =>
            rows.length === 0 ? (
              <Text size="sm" c="dimmed">
                No API keys yet. The customer can’t make requests without one.
              </Text>
            ) : (
              <>
                <KeySummary keys={rows} />
                <StrongLink to="/keys" search={{ customer }}>
                  View all
                </StrongLink>
              </>
            )
          }
        </Loaded>
      </Stack>
      <KeyForm
        isOpen={isCreating}
        onClose={() => setIsCreating(false)}
        onCreated={(key) => {
          setIsCreating(false);
          setNewKey(key);
        }}
      />
    </Panel>
  );
}

function KeySummary({ keys }: { keys: readonly Key[] }): ReactNode {
  const count = (...states: Key['state'][]): number =>
    keys.filter(({ state }) => states.includes(state)).length;
  const [lastUsedAt = null] = keys
    .flatMap((key) => key.lastUsedAt ?? [])
    .toSorted((a, b) => b.localeCompare(a));
  const inactive = [
    { name: 'Disabled', value: count('disabled') },
    { name: 'Suspended', value: count('suspended') },
    { name: 'Expired or revoked', value: count('expired', 'revoked') },
  ].filter(({ value }) => value > 0);
  return (
    <DetailList
      items={[
        { name: 'Active', value: formatCount(count('active')) },
        ...inactive,
        { name: 'Last used', value: <RelativeTime at={lastUsedAt} /> },
      ]}
    />
  );
}
