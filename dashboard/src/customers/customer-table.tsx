import { Box, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Account, Quota } from '../api/calls.gen.ts';
import { formatCount, formatCompact, formatShare } from '../format/number.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { StrongLink } from '../ui/controls/links.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { ShareBar } from './share-bar.tsx';
import type { DayRequests } from './use-day-requests.ts';
import { StatusBadge } from '../ui/values/status-badge.tsx';

/** Lists customers with their plan, status, and usage. */
export function CustomerTable(props: {
  customers: readonly Account[];
  requests: DayRequests;
  empty: ReactNode;
}): ReactNode {
  const { customers, requests, empty } = props;
  return (
    <DataTable
      caption="Customers by name"
      rows={customers}
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        {
          name: 'Customer',
          render: ({ id, name, createdAt, state }) => (
            <Stack gap={0} miw={130} maw={320} style={{ overflowWrap: 'anywhere' }}>
              <StrongLink to="/operator/customers/$customerId" params={{ customerId: id }}>
                {name}
              </StrongLink>
              <Text size="xs" c="dimmed">
                Created <RelativeTime at={createdAt} />
              </Text>
              {state === 'suspended' && (
                <Box hiddenFrom="sm">
                  <CustomerStatus state={state} />
                </Box>
              )}
            </Stack>
          ),
        },
        { name: 'Plan', render: ({ plan }) => plan.name },
        { name: 'Status', isExtra: true, render: ({ state }) => <CustomerStatus state={state} /> },
        {
          name: 'Today',
          isExtra: true,
          render: (customer) => <QuotaBar customer={customer} window="day" />,
        },
        {
          name: 'This month',
          isExtra: true,
          render: (customer) => <QuotaBar customer={customer} window="month" />,
        },
        {
          name: 'Requests (24 h)',
          render: ({ id }) => <Requests customerId={id} requests={requests} />,
        },
      ]}
    />
  );
}

function Requests(props: { customerId: string; requests: DayRequests }): ReactNode {
  const { requests } = props;
  const counts = requests.forCustomer(props.customerId);
  if (counts === null) return '–';
  return (
    <ShareBar
      share={requests.top === 0 ? 0 : counts.requests / requests.top}
      text={formatCount(counts.requests)}
      {...(counts.failed === 0 ? {} : { note: `${formatCount(counts.failed)} failed` })}
    />
  );
}

function CustomerStatus({ state }: Pick<Account, 'state'>): ReactNode {
  return <StatusBadge tone={state === 'active' ? 'good' : 'bad'}>{state}</StatusBadge>;
}

const NEAR = 0.8;

/** A compact bar that shows usage of the daily or monthly quota. */
function QuotaBar(props: { customer: Account; window: Quota['window'] }): ReactNode {
  const quota = props.customer.quotas.find(({ window }) => window === props.window);
  if (quota === undefined) {
    return (
      <Text span size="sm" c="dimmed">
        No limit
      </Text>
    );
  }
  const { used, limit } = quota;
  const share = limit === 0 ? 1 : used / limit;
  return (
    <ShareBar
      share={share}
      text={`${formatCompact(used)} of ${formatCompact(limit)}`}
      note={used >= limit ? 'exceeded' : formatShare(share)}
      tone={used >= limit ? 'bad' : share >= NEAR ? 'warn' : 'plain'}
    />
  );
}
