import { Button, Checkbox, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { WebhookSubscription } from '../../api/calls.gen.ts';
import { useAction } from '../../api/use-action.ts';
import { CALM_MS, useCall } from '../../api/use-call.ts';
import { formatCount } from '../../format/number.ts';
import { ConfirmButton } from '../../ui/controls/confirm-button.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import { RelativeTime } from '../../ui/values/relative-time.tsx';
import { Pager } from '../../ui/tables/pager.tsx';
import { IconListSearch } from '@tabler/icons-react';
import { EmptyState } from '../../ui/page/empty-state.tsx';

const REFRESHES = ['webhook-subscriptions-list', 'webhooks-list', 'webhooks-read'] as const;
const keyOf = ({ templateId, symbol }: WebhookSubscription): string => `${templateId}:${symbol}`;

/** Lists the endpoint's subscriptions, one page at a time, and can remove several at once. */
export function SubscriptionList({ endpointId }: { endpointId: string }): ReactNode {
  const [after, setAfter] = useState<string | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const query = { limit: 50, ...(after === null ? {} : { after }) };
  const options = { everyMs: CALM_MS, keepsPrevious: true };
  const page = useCall('webhook-subscriptions-list', { path: { endpointId }, query }, options);

  function go(next: string | null): void {
    setAfter(next);
    setSelected(new Set());
  }
  function select(keys: readonly string[], isSelected: boolean): void {
    const remaining = [...selected].filter((key) => !keys.includes(key));
    setSelected(new Set(isSelected ? [...remaining, ...keys] : remaining));
  }

  return (
    <Loaded query={page} height={240}>
      {({ subscriptions, next }) => {
        const keys = subscriptions.map(keyOf);
        const isAllSelected = keys.length > 0 && keys.every((key) => selected.has(key));
        if (subscriptions.length === 0 && after === null) return <NoSubscriptions />;
        return (
          <>
            <Group justify="space-between" px="lg" pb="xs">
              <Checkbox
                size="sm"
                label="Select all on this page"
                checked={isAllSelected}
                indeterminate={!isAllSelected && selected.size > 0}
                onChange={({ currentTarget }) => select(keys, currentTarget.checked)}
              />
              <Removal
                endpointId={endpointId}
                selected={[...selected]}
                onDone={() => setSelected(new Set())}
              />
            </Group>
            <SubscriptionTable
              subscriptions={subscriptions}
              selected={selected}
              onSelect={select}
            />
            <Pager
              onFirst={after === null ? null : () => go(null)}
              onNext={next === null ? null : () => go(next)}
              nextName="Next"
            />
          </>
        );
      }}
    </Loaded>
  );
}

function SubscriptionTable(props: {
  subscriptions: readonly WebhookSubscription[];
  selected: ReadonlySet<string>;
  onSelect: (keys: readonly string[], isSelected: boolean) => void;
}): ReactNode {
  const { subscriptions, selected, onSelect } = props;
  return (
    <DataTable
      caption="Subscriptions"
      rows={subscriptions}
      keyOf={keyOf}
      columns={[
        {
          name: 'Companies',
          render: (row) => (
            <Checkbox
              size="sm"
              label={row.symbol}
              aria-label={`${row.symbol}, ${row.templateId}`}
              checked={selected.has(keyOf(row))}
              onChange={({ currentTarget }) => onSelect([keyOf(row)], currentTarget.checked)}
            />
          ),
        },
        { name: 'Event', render: ({ templateId }) => templateId },
        {
          name: 'Created',
          isExtra: true,
          render: ({ createdAt }) => <RelativeTime at={createdAt} />,
        },
        { name: 'Last delivered', render: ({ answeredAt }) => <RelativeTime at={answeredAt} /> },
      ]}
    />
  );
}

function Removal(props: {
  endpointId: string;
  /** The selected subscriptions, each as `template:symbol`. */
  selected: readonly string[];
  onDone: () => void;
}): ReactNode {
  const { endpointId, selected, onDone } = props;
  const remove = useAction('webhook-subscriptions-remove', { refreshes: REFRESHES });
  if (selected.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Select subscriptions to remove them.
      </Text>
    );
  }

  function removeAll(): void {
    for (const [templateId, symbols] of byTemplate(selected)) {
      remove.mutate({ path: { endpointId }, body: { templateId, symbols } });
    }
    onDone();
  }

  return (
    <Group gap="xs">
      <Button variant="subtle" size="xs" onClick={onDone}>
        Clear selection
      </Button>
      <ConfirmButton
        label={`Remove ${formatCount(selected.length)}`}
        title={`Remove ${formatCount(selected.length)} ${selected.length === 1 ? 'subscription' : 'subscriptions'}?`}
        text="The endpoint receives no more deliveries for them. Pending deliveries are cancelled."
        confirmLabel="Remove"
        loading={remove.isPending}
        onConfirm={removeAll}
      />
    </Group>
  );
}

function byTemplate(keys: readonly string[]): [templateId: string, symbols: string[]][] {
  const templateOf = (key: string): string => key.slice(0, key.indexOf(':'));
  const groups = Map.groupBy(keys, templateOf);
  // A company set, such as `exchange:nyse`, also contains a colon.
  return [...groups].map(([id, group]) => [id, group.map((key) => key.slice(id.length + 1))]);
}

function NoSubscriptions(): ReactNode {
  return (
    <EmptyState icon={<IconListSearch size={24} />} title="No subscriptions yet">
      Nothing is sent to an endpoint without subscriptions. Paste the symbols of the companies
      you’re interested in above, or choose a company set.
    </EmptyState>
  );
}
