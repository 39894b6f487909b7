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
import { NoSubscriptions } from './no-subscriptions.tsx';

const REFRESHES = ['webhook-subscriptions-list', 'webhooks-list', 'webhooks-read'] as const;
const keyOf = ({ templateId, symbol }: WebhookSubscription): string => `${templateId}:${symbol}`;

/** The endpoint's subscriptions, one page at a time, with bulk removal. */
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
  function choose(keys: readonly string[], isChosen: boolean): void {
    const remaining = [...selected].filter((key) => !keys.includes(key));
    setSelected(new Set(isChosen ? [...remaining, ...keys] : remaining));
  }

  return (
    <Loaded query={page} height={240}>
      {({ subscriptions, next }) => {
        const keys = subscriptions.map(keyOf);
        const areAll = keys.length > 0 && keys.every((key) => selected.has(key));
        if (subscriptions.length === 0 && after === null) return <NoSubscriptions />;
        return (
          <>
            <Group justify="space-between" px="lg" pb="xs">
              <Checkbox
                size="sm"
                label="Select all on this page"
                checked={areAll}
                indeterminate={!areAll && selected.size > 0}
                onChange={({ currentTarget }) => choose(keys, currentTarget.checked)}
              />
              <Removal
                endpointId={endpointId}
                selected={[...selected]}
                onDone={() => setSelected(new Set())}
              />
            </Group>
            <DataTable
              caption="Subscriptions"
              rows={subscriptions}
              keyOf={keyOf}
              columns={[
                {
                  name: 'Company',
                  render: (row) => (
                    <Checkbox
                      size="sm"
                      label={row.symbol}
                      aria-label={`${row.symbol}, ${row.templateId}`}
                      checked={selected.has(keyOf(row))}
                      onChange={({ currentTarget }) => choose([keyOf(row)], currentTarget.checked)}
                    />
                  ),
                },
                { name: 'Event', render: ({ templateId }) => templateId },
                {
                  name: 'Created',
                  isExtra: true,
                  render: ({ createdAt }) => <RelativeTime at={createdAt} />,
                },
                {
                  name: 'Last delivered',
                  render: ({ answeredAt }) => <RelativeTime at={answeredAt} />,
                },
              ]}
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

function Removal(props: {
  endpointId: string;
  /** `template:symbol` */
  selected: readonly string[];
  onDone: () => void;
}): ReactNode {
  const { endpointId, selected: chosen, onDone } = props;
  const remove = useAction('webhook-subscriptions-remove', { refreshes: REFRESHES });
  if (chosen.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Select subscriptions to remove them.
      </Text>
    );
  }

  function removeAll(): void {
    for (const [templateId, symbols] of byTemplate(chosen)) {
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
        label={`Remove ${formatCount(chosen.length)}`}
        title={`Remove ${formatCount(chosen.length)} ${chosen.length === 1 ? 'subscription' : 'subscriptions'}?`}
        text="The endpoint receives no more deliveries for them. Pending deliveries are cancelled."
        confirmLabel="Remove"
        loading={remove.isPending}
        onConfirm={removeAll}
      />
    </Group>
  );
}

function byTemplate(keys: readonly string[]): [templateId: string, symbols: string[]][] {
  const pairs = keys.map((key) => key.split(':'));
  const groups = Map.groupBy(pairs, ([templateId = '']) => templateId);
  return [...groups].map(([id, group]) => [id, group.map(([, symbol = '']) => symbol)]);
}
